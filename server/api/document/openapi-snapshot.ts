import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';
import type { Language } from '#server/api/failures.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const address = 'https://notif.example.com';

/** The committed copy of the document. It makes changes visible in a review. */
export const snapshotFile = join(root, 'docs', 'openapi.json');

/** Makes the committed copy: in English, with an example address, indented. */
export const makeSnapshot = (): string => `${JSON.stringify(makeOpenApiDocument(address), null, 2)}\n`;

/** The first 12 hex digits of a copy's SHA-256. The newest entry of the changes page names them. */
export const hashSnapshot = (snapshot: string): string =>
  createHash('sha256').update(snapshot).digest('hex').slice(0, 12);

const pageOf = (language: Language) => join(root, 'app', 'docs', 'content', `changes.${language}.md`);

// A link definition, which is not visible on the page.
const definition = /^\[openapi ([0-9a-f]{12})\]: \/api\/v1\/openapi\.json$/m;

/** Why the newest entry of the changes page does not match, as a sentence, or null. */
export function findChangesProblem(language: Language, version: string, fingerprint: string): string | null {
  const page = relative(root, pageOf(language));
  if (!existsSync(pageOf(language))) return `${page} is missing`;
  const [, newest = ''] = readFileSync(pageOf(language), 'utf8').split(/^## /m);
  if (!newest.startsWith(`${version} `)) return `${page} must begin with an entry "## ${version} · <date>"`;
  if (definition.exec(newest)?.[1] === fingerprint) return null;
  return `${page}: the newest entry must say what changed, and name the document's fingerprint in a line "[openapi ${fingerprint}]: /api/v1/openapi.json". Run: npm run openapi -- "What changed." "Yang berubah."`;
}

function addChange(language: Language, sentence: string, fingerprint: string): void {
  const [head = '', newest = '', ...older] = readFileSync(pageOf(language), 'utf8').split(/^(?=## )/m);
  const written = newest.replace(definition, '').trimEnd();
  const gap = /\n- .*$/.test(written) ? '\n' : '\n\n';
  const entry = `${written}${gap}- ${sentence}\n\n[openapi ${fingerprint}]: /api/v1/openapi.json\n${older.length > 0 ? '\n' : ''}`;
  writeFileSync(pageOf(language), [head, entry, ...older].join(''));
}

function update(sentences: Record<Language, string | undefined>): string[] {
  const snapshot = makeSnapshot();
  writeFileSync(snapshotFile, snapshot);
  const { version } = makeOpenApiDocument(address).info;
  const fingerprint = hashSnapshot(snapshot);
  return (['en', 'id'] as const).flatMap((language) => {
    const sentence = sentences[language];
    if (sentence && findChangesProblem(language, version, fingerprint)?.includes('fingerprint'))
      addChange(language, sentence, fingerprint);
    return findChangesProblem(language, version, fingerprint) ?? [];
  });
}

if (import.meta.main) {
  const problems = update({ en: process.argv[2], id: process.argv[3] });
  process.stdout.write(`docs/openapi.json is written.\n${problems.map((problem) => `${problem}\n`).join('')}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
