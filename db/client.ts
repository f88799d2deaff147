import { PgPreparedQuery } from 'drizzle-orm/pg-core';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { readAddress } from '#db/address.ts';
import { dialer } from '#db/dial.ts';
import { choosePrimary } from '#db/primary.ts';
import { databaseUrl, poolSize } from '#server/env.ts';

type Sql = postgres.Sql<{ bigint: number }>;
type Client = { sql: Sql; db: PostgresJsDatabase };
type Pool = Client & { since: number };

/** Both of drizzle's handles: the pool, or one transaction of it. */
export type Database = Pick<PostgresJsDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

type Query = { queryWithCache: (...args: unknown[]) => Promise<unknown> };
const queries = PgPreparedQuery.prototype as unknown as Query;
const runQuery = queries.queryWithCache;
// drizzle puts every parameter (password hashes, people's texts) into the message of its errors, and Next logs those.
queries.queryWithCache = function (...args) {
  return runQuery.apply(this, args).catch((error: unknown) => {
    if (isReadOnly(error)) leaveReadOnly();
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
  });
};

/** How long a session of ours may wait, in milliseconds: for the end of a statement, for a lock, and for us within a transaction. */
export const sessionLimits = {
  statement_timeout: 5000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
};

/**
 * Opens a pool. `bigint` columns arrive as numbers (ours stay far below 2^53) and times as `Date`.
 * Waiting is bounded on both ends: 2 s to connect or for a lock, 5 s for a statement. A pooler refuses these limits; behind one the role has
 * to have them (`boundWaits`), and nothing is prepared. Throws when a certificate that the address names cannot be read.
 * After a failed attempt to connect the next one comes a quarter of a second later, however many failed before.
 */
export function connect(url: string, max = 10): Client {
  const address = readAddress(url);
  const sql = postgres(address.url, {
    max,
    connect_timeout: 2,
    // The driver's own pauses grow to 20 s, in which a call would wait for its refusal, and everybody for a database that is back.
    backoff: () => 0.25,
    max_lifetime: 60 * 30,
    onnotice: () => {},
    ...{ prepare: address.prepare, ssl: false, socket: dialer(address, choosePrimary(address)) },
    connection: {
      application_name: 'staff-notification-api',
      TimeZone: 'UTC',
      ...(address.isPooled ? {} : sessionLimits),
    },
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  });
  const db = drizzle(sql, { casing: 'snake_case' });
  // drizzle replaces the driver's date parser by one that returns text; our own statements want dates.
  sql.options.parsers[1184] = (text: string) => new Date(text);
  return { sql, db };
}

// The front and the pages are two module graphs in one process; the pool is one.
const held = globalThis as { [key: symbol]: Pool | undefined };
const pool = Symbol.for('staff-notification-api.pool');

function client(): Client {
  held[pool] ??= { ...connect(databaseUrl(), poolSize()), since: performance.now() };
  return held[pool];
}

/** The driver, for the statements that are written by hand. Connects on first use. */
export const sql = (): Sql => client().sql;

/** drizzle, for everything else. Connects on first use. */
export const db = (): PostgresJsDatabase => client().db;

/** Ends the pool; statements that are running get `seconds` to finish. */
export async function disconnect(seconds = 5): Promise<void> {
  await held[pool]?.sql.end({ timeout: seconds });
  held[pool] = undefined;
}

/**
 * Gives the pool up for a new one, unless it is younger than this. What it was asked did not come back: its connections may be dead without
 * having said so, or have a queue before them that nobody waits for any more. Or they lead to a database that takes no writes, after
 * the address has moved away from it. What still runs on the old ones gets 5 s.
 */
export function renewPool(youngestMs = 10_000): void {
  const old = held[pool];
  if (!old || performance.now() - old.since < youngestMs) return;
  held[pool] = undefined;
  old.sql.end({ timeout: 5 }).catch(() => {});
}

const leftAtMostEveryMs = 1000;

/** Gives up connections that lead to a database that takes no writes; the next ones go where the address leads by then. */
export const leaveReadOnly = (): void => renewPool(leftAtMostEveryMs);

/** Whether an error is PostgreSQL's refusal of a write because the database is a standby or set to read only. */
export function isReadOnly(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && cause.code === '25006') return true;
  return false;
}

const goneCodes = new Set([
  'CONNECTION_REFUSED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'QUEUE_TIMEOUT',
  'ANSWER_TIMEOUT',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '55P03',
  '53100',
  '53200',
  '53300',
  '25006',
]);

/** Whether an error means that the database cannot answer now (gone, full, locked, too slow), not that we asked wrongly. */
export function isDatabaseGone(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (goneCodes.has(code) || code.startsWith('08')) return true;
    if (cause instanceof AggregateError && cause.errors.some(isDatabaseGone)) return true;
  }
  return false;
}

const lostCodes = new Set([
  'ANSWER_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  // While connecting too, where nothing was sent; what cannot be told apart counts as the worse of the two.
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  '57P01',
  '57P02',
]);

/** Whether a statement that ended with this error may have been committed all the same: its answer was lost on the way. */
export function mayHaveCommitted(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (lostCodes.has(code) || code.startsWith('08')) return true;
  }
  return false;
}

/** Whether an error is PostgreSQL's refusal of a second row with the same value of the named unique index. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === '23505')
      return 'constraint_name' in cause && cause.constraint_name === constraint;
  }
  return false;
}
