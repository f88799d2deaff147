import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands, describeCommand, describeCommands } from '#server/command/run.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'commands.md');

test('docs/commands.md has the list of commands; vitest --update writes it', async () => {
  const help = await describeCommands('notif');
  const text = readFileSync(page, 'utf8').replace(/```text\n[\s\S]*?```/, () => `\`\`\`text\n${help}\`\`\``);
  await expect(text).toMatchFileSnapshot(page);
});

test('no line of a help is longer than 100 characters', async () => {
  for (const [name, load] of Object.entries(commands)) {
    const lines = describeCommand('npm run notif --', name, (await load()).command).split('\n');
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  }
});
