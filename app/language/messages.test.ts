import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '#e2e/support/service/service.ts';
import { languages } from '#platform/language.ts';

type Messages = { [name: string]: string | Messages };

function listTexts(messages: Messages, prefix = ''): [string, string][] {
  return Object.entries(messages).flatMap(([name, value]) =>
    typeof value === 'string' ? [[prefix + name, value]] : listTexts(value, `${prefix + name}.`),
  );
}

function listArguments(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.tag) return [element.value, ...listArguments(element.children)];
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return [element.value, ...Object.values(element.options).flatMap(({ value }) => listArguments(value))];
    return element.type === TYPE.argument || element.type === TYPE.number ? [element.value] : [];
  });
}

/** The arguments of each text of a language, by file and name. Only texts in `icu/` are ICU messages. */
function listShapes(folder: string): [string, string[]][] {
  return globSync('**/*.json', { cwd: folder }).flatMap((file) => {
    const argumentsOf = (text: string) =>
      file.startsWith('icu') ? listArguments(parse(text)) : (text.match(/(?<=\{)\w+(?=\})/g) ?? []);
    const messages = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Messages;
    return listTexts(messages, `${file}: `).map(([name, text]) => [name, [...new Set(argumentsOf(text))].sort()]);
  });
}

test('every language has the same texts, and each text has the same arguments in all', () => {
  const [first, ...others] = languages.map((language) =>
    Object.fromEntries(listShapes(join(root, 'messages', language))),
  );
  expect(Object.keys(first ?? {}).length).toBeGreaterThan(2000);
  for (const other of others) expect(other).toEqual(first);
});

const wrong = `import { useTranslations } from 'next-intl';
  export function Wrong({ name }: { name?: string }) {
    const t = useTranslations('employees');
    t('added');
    t('added', {});
    t('added', { name });
    t('added', { name: name ?? '' });
  }`;

// TypeScript reads the texts of a JSON file as `string`. From a declaration it knows each text, and
// so which values the text needs: a missing value would be printed as "undefined".
test('every text of a page gets the values that it needs', async () => {
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'message-values-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const texts = await readFile(join(root, 'messages', 'id', 'icu', 'pages.json'), 'utf8');
  const declaration = join(folder, 'messages.d.ts');
  await writeFile(declaration, `declare const messages: ${texts.trim()};\nexport default messages;\n`);
  await writeFile(join(folder, 'wrong.tsx'), wrong);
  const paths = { '#messages/id/icu/pages.json': [declaration] };
  const config = {
    extends: join(root, 'tsconfig.check.json'),
    compilerOptions: { paths, incremental: false, typeRoots: [join(root, 'node_modules', '@types')] },
    include: ['app/**/*.ts', 'app/**/*.tsx', '.next/types/**/*.ts'].map((path) => join(root, path)),
    exclude: ['**/*.test.ts', '**/*.test.tsx'].map((path) => join(root, path)),
    files: [join(folder, 'wrong.tsx')],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const output = await new Promise<string>((resolve) => {
    execFile(tsc, ['-p', folder, '--noEmit', '--pretty', 'false'], { cwd: root }, (_, stdout) => resolve(stdout));
  });
  // A number may stand where the library's types want a text.
  const problems = output
    .split('\n')
    .filter((line) => /^\S.*error TS/.test(line))
    .filter((line) => !/'(?:number|string \| number)' is not assignable to type 'string'/.test(line))
    .map((line) => basename(line.slice(0, line.indexOf(','))));
  expect(problems).toEqual(['wrong.tsx(4', 'wrong.tsx(5', 'wrong.tsx(6']);
  // The compiler takes 12 s of two processors, which other tests use too.
}, 600_000);
