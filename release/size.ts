import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// `npm run size` counts the files that git tracks: lines of product code and of tests by folder, files, decisions and
// words of the documents. It prints them beside their targets; with `--passed`, only those that are above.

const targets = { product: 48_000, tests: 41_000, files: 1_180, decisions: 35, words: 30_000 };
type Measure = keyof typeof targets;
const names: Record<Measure, string> = {
  product: 'lines of product code',
  tests: 'lines of tests and bench',
  files: 'files',
  decisions: 'decisions',
  words: 'words of documents',
};

const isCode = /\.(ts|tsx|mjs|js|css|sql|sh|go|py|php)$/;
// The schema, and what people read: messages, and documents with their example programs.
const isExcluded = /^(db\/migrations|messages|app\/docs\/recipes)\//;
const isTest = /^(e2e|bench)\/|\.(test|spec)\.tsx?$/;

// `other` files count as files only.
function classify(path: string): 'product' | 'tests' | 'document' | 'other' {
  if (isExcluded.test(path)) return 'other';
  if (path.endsWith('.md')) return path.startsWith('app/docs/') ? 'other' : 'document';
  if (!isCode.test(path)) return 'other';
  return isTest.test(path) ? 'tests' : 'product';
}

function printSize(root: string, onlyPassed: boolean): void {
  const paths = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)));
  const rows = new Map<string, { files: number; product: number; tests: number }>();
  const total = { product: 0, tests: 0, files: paths.length, decisions: 0, words: 0 };
  for (const path of paths) {
    // A row of the table holds the folders of two levels.
    const folder = path.split('/').slice(0, -1).slice(0, 2).join('/') || '(root)';
    const row = rows.get(folder) ?? { files: 0, product: 0, tests: 0 };
    rows.set(folder, row);
    row.files += 1;
    if (/^docs\/decisions\/\d{4}-/.test(path)) total.decisions += 1;
    const kind = classify(path);
    if (kind === 'other') continue;
    const text = readFileSync(join(root, path), 'utf8');
    if (kind === 'document') {
      total.words += text.split(/\s+/).filter(Boolean).length;
      continue;
    }
    const lines = text.split('\n').length - 1;
    row[kind] += lines;
    total[kind] += lines;
  }
  const lines: string[] = [];
  const line = (name: string, ...cells: (number | string)[]) =>
    lines.push(`${name.padEnd(28)}${cells.map((cell) => cell.toLocaleString('en').padStart(10)).join('')}`);
  const measures = Object.keys(targets) as Measure[];
  if (onlyPassed) {
    for (const name of measures.filter((one) => total[one] > targets[one]))
      console.error(`Size: ${total[name]} ${names[name]}, above the target of ${targets[name]} (npm run size).`);
    return;
  }
  line('folder', 'files', 'product', 'tests');
  for (const [folder, row] of [...rows].sort(([a], [b]) => a.localeCompare(b)))
    line(folder, row.files, row.product, row.tests);
  line('\ntotal', 'now', 'target');
  for (const name of measures) line(names[name], total[name], targets[name]);
  // All at once: a reader such as `head` may leave after its first lines.
  console.log(lines.join('\n'));
}

if (import.meta.main) {
  const [folder = join(import.meta.dirname, '..')] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  printSize(resolve(folder), process.argv.includes('--passed'));
}
