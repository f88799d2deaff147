import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '#e2e/support/service/service.ts';

// TypeScript reads the texts of a JSON file as `string`. From a declaration it knows each text, and
// so which values the text needs: a missing value would be printed as "undefined".
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function checkCalls(include: string[], files: Record<string, string> = {}): Promise<string[]> {
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'message-values-'));
  folders.push(folder);
  const texts = await readFile(join(root, 'messages', 'id.json'), 'utf8');
  const declaration = join(folder, 'messages.d.ts');
  await writeFile(declaration, `declare const messages: ${texts.trim()};\nexport default messages;\n`);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const paths = { '#messages/id.json': [declaration], '#messages/en.json': [declaration] };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.check.json'),
      compilerOptions: { paths, incremental: false, typeRoots: [join(root, 'node_modules', '@types')] },
      include: include.map((path) => join(root, path)),
      // Named one by one, because tsconfig.check.json leaves out node_modules.
      files: Object.keys(files).map((name) => join(folder, name)),
    }),
  );
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const output = await new Promise<string>((resolve) => {
    execFile(tsc, ['-p', folder, '--noEmit', '--pretty', 'false'], { cwd: root }, (_, stdout) => resolve(stdout));
  });
  // A number may stand where the library's types want a text.
  return output
    .split('\n')
    .filter(
      (line) =>
        /^\S.*error TS/.test(line) && !/'(?:number|string \| number)' is not assignable to type 'string'/.test(line),
    );
}

test('every text of a page gets the values that it needs', async () => {
  expect(await checkCalls(['app/**/*.ts', 'app/**/*.tsx', '.next/types/**/*.ts'])).toEqual([]);
});

test('a text without its value, or with one that may be missing, is an error of its types', async () => {
  const wrong = `import { useTranslations } from 'next-intl';
    export function Wrong({ name }: { name?: string }) {
      const t = useTranslations('employees');
      return [t('added'), t('added', {}), t('added', { name }), t('added', { name: name ?? '' })];
    }`;
  const problems = await checkCalls(['app/language/messages.d.ts'], { 'wrong.tsx': wrong });
  expect(problems.map((line) => /\((\d+),\d+\)/.exec(line)?.[1])).toEqual(['4', '4', '4']);
});
