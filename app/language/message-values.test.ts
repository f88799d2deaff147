import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '#e2e/support/service/service.ts';

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
