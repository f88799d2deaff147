import { afterAll, beforeEach, inject } from 'vitest';
import { sql, sqlForCalls, sqlForSends, statements } from '#db/client.ts';
import type { Sent } from '#e2e/structure/across-companies.ts';

// Judges each statement that the service sent during a test file, also those that parts make at run time.
const sent = new Map<string, Sent>();
const record = (_connection: number, text: string) => sent.set(text, sent.get(text) ?? { text });
const ofService = /\/((?:db|server)\/(?!client\.ts)[\w/-]+(?<!\.test)\.ts:\d+)/;

statements.observe = () => {
  const line = ofService.exec(new Error().stack ?? '')?.[1];
  return (text) => line && sent.set(text, { text, line });
};

beforeEach(() => {
  if (!process.env.DATABASE_URL) return;
  for (const { options } of [sql(), sqlForCalls(), sqlForSends()]) (options as { debug: unknown }).debug = record;
});

afterAll(async () => {
  if (sent.size === 0) return;
  // Loads PostgreSQL's parser only where there is something to parse.
  const { findUnlisted } = await import('#e2e/structure/across-companies.ts');
  const [first] = findUnlisted([...sent.values()], inject('statements'));
  if (first)
    throw new Error(
      `${first.where} reads or writes rows of several companies (${first.tables.join(', ')}). Bind it to one company, or list it in docs/security.md with its reason.\n${first.text}`,
    );
});
