import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { AnswerTimeout, createDeadline } from '#db/deadline.ts';
import { connect } from '#db/driver/connect.ts';
import { listTypedStatements, type TypedStatement } from '#e2e/structure/row-types.ts';
import { listFiles } from '#e2e/structure/sql-templates.ts';
import { root } from '#e2e/support/service/service.ts';
import { databaseUrl } from '#platform/config/database.ts';

// A connection of its own: the statements of the service's pools are judged when the test ends.
const database = connect(databaseUrl(), 1);
afterAll(() => database.end());

const files = listFiles(root);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const statements = files.flatMap((file) => listTypedStatements(root, file));
const sources = files.map(read).join('\n');

// The SQLSTATE codes of a text with a parameter in place of a fragment: syntax and types.
const causedByFragments = ['42601', '42804', '42883', '42P18'];

// A part of a statement may read from another part: `with recipient as (…)`, or an alias.
function namesOtherPart(message: string): boolean {
  const [, name] = /^relation "(\w+)" does not exist/.exec(message) ?? [];
  return name === undefined || new RegExp(` ${name} as (not materialized |materialized )?\\(`).test(sources);
}

/** The columns of a statement, or why PostgreSQL refuses it; null for a part of a statement. */
async function describe({ text }: Pick<TypedStatement, 'text'>): Promise<string[] | string | null> {
  try {
    const columns = (await database.unsafe(text).describe()).columns.map(({ name }) => name);
    // A column without a name comes from a fragment.
    return columns.includes('?column?') ? null : columns;
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    return causedByFragments.includes(code) || (code === '42P01' && namesOtherPart(message)) ? null : message;
  }
}

const nameOf = ({ file, text }: TypedStatement) => `${file}: ${text.trim().slice(0, 60)}`;

test('PostgreSQL knows the columns of each statement, and returns those that its row type names', async () => {
  const wrong: string[] = [];
  let compared = 0;
  for (const statement of statements) {
    const described = await describe(statement);
    if (typeof described === 'string') wrong.push(`${nameOf(statement)} → ${described}`);
    if (!Array.isArray(described) || statement.columns === null) continue;
    compared++;
    const missing = statement.columns.filter((name) => !described.includes(name));
    if (missing.length > 0) wrong.push(`${nameOf(statement)} → does not return ${missing.join(', ')}`);
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(15);
});

afterEach(() => vi.useRealTimers());

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('statements share a budget of 5.5 s, and then fail without an answer (X3)', async () => {
  vi.useFakeTimers();
  const withDeadline = createDeadline();
  const first = withDeadline(() => wait(3000).then(() => 'answered'));
  await vi.advanceTimersByTimeAsync(3000);
  expect(await first).toBe('answered');
  const second = withDeadline(() => new Promise(() => {})).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(2499);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await second).toBeInstanceOf(AnswerTimeout);
});
