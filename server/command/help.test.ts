import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '#server/command/command.ts';
import { commands } from '#server/command/commands.ts';
import { describeCommand } from '#server/command/help.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'commands.md');

/** The page with the help of each command in the block below its heading. */
async function withHelp(text: string): Promise<string> {
  const sections = text.split(/^(?=## )/m);
  const isMissing = (name: string) => !sections.some((section) => section.startsWith(`## ${name}\n`));
  for (const name of Object.keys(commands).filter(isMissing)) sections.push(`\n## ${name}\n\n\`\`\`text\n\`\`\`\n`);
  const filled = sections.map(async (section) => {
    const name = /^## (.+)$/m.exec(section)?.[1] ?? '';
    const loaded = await commands[name]?.();
    if (!loaded) return section;
    const help = describeCommand('notif', name, loaded.command).split('\n\nOptions:')[0];
    const options = describeCommand('notif', name, loaded.command).split('\n\nOptions:')[1] ?? '';
    // What every command takes is said once, at the top of the page.
    const own = options
      .split('\n')
      .filter((line) => line.trim() !== '' && !/^ +(--json|--settings|-h, --help) /.test(line));
    const block = own.length > 0 ? `${help}\n\nOptions:\n${own.join('\n')}` : help;
    return section.replace(/```text\n[\s\S]*?```/, () => `\`\`\`text\n${block}\n\`\`\``);
  });
  return (await Promise.all(filled)).join('');
}

test('docs/commands.md has the help of every command; vitest --update writes it', async () => {
  const text = readFileSync(page, 'utf8');
  await expect(await withHelp(text)).toMatchFileSnapshot(page);
});

test('no line of a help is longer than 100 characters', async () => {
  for (const [name, load] of Object.entries(commands)) {
    const lines = describeCommand('npm run notif --', name, (await load()).command).split('\n');
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  }
});

test('the exit codes are those that docs/commands.md promises', () => {
  expect(exitCodes).toEqual({ done: 0, failed: 1, wrongUsage: 2, unreachable: 3 });
});
