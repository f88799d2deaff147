import type { Made } from '#e2e/fuzz/requests.ts';
import { holdToDocument } from '#e2e/support/http/documented.ts';
import type { RawAnswer } from '#e2e/support/http/raw.ts';
import { failures, type Language } from '#server/api/failures.ts';

type Failure = { error?: string; code?: string };

/**
 * How a response breaks the contract, in a few words, or null. Throws when it is not as the document
 * says.
 */
export async function findFault(answer: RawAnswer, made: Made): Promise<string | null> {
  const { status, body: text } = answer;
  // A defect is a finding, and 503 is wrong while the database works.
  if (status >= 500) return `status ${status}`;
  await holdToDocument(made.method, { ...answer, text });
  if (status === 200) return made.isSend && made.misspelt ? 'a misspelt user_id reached everyone' : null;
  return made.method === 'HEAD' ? null : findFaultIn(JSON.parse(text) as Failure, made.language);
}

function findFaultIn({ error = '', code }: Failure, language: Language | null): string | null {
  const row = Object.entries(failures).find(([name]) => name === code)?.[1];
  if (!row) return `code ${code}`;
  // The language of bytes that are not HTTP is unknown.
  const knows = language && code !== 'request_malformed';
  if (knows && !error.startsWith(beginningOf(row, language))) return `language ${language}`;
  return /jss_\w{20}|\bat .*\.ts|\bundefined\b|\[object|\{\w+\}/.test(error.replace(/"[^"]*"/g, ''))
    ? 'sentence'
    : null;
}

const beginningOf = (row: Record<Language, string>, language: Language) => row[language].split(/[{[]/, 1)[0] ?? '';
