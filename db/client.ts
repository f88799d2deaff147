import { PgPreparedQuery } from 'drizzle-orm/pg-core';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { dialer, type WhenLost } from '#db/driver/dial.ts';
import { choosePrimary } from '#db/driver/primary.ts';
import { readAddress } from '#server/database-url.ts';
import { databaseUrl, poolSize } from '#server/env.ts';

type Sql = postgres.Sql<{ bigint: number }>;
/** One transaction of the driver: a tagged template, as `sql()` is. */
export type Transaction = postgres.TransactionSql<{ bigint: number }>;
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
 * The limits of a session that sends. A lock is waited for in several steps, each of which may take the whole limit: two seconds for a turn
 * and these three are within what a call waits altogether (`patience.ts`), so that a send that only waited is refused for certain.
 */
export const limitsOfSends = { ...sessionLimits, statement_timeout: 3000 };

/**
 * Opens a pool. `bigint` columns arrive as numbers (ours stay far below 2^53) and times as `Date`.
 * Waiting is bounded on both ends: 2 s to connect or for a lock, 5 s for a statement unless other limits are given. A pooler refuses these limits; behind one the role has
 * to have them (`boundWaits`), and nothing is prepared. Throws when a certificate that the address names cannot be read.
 * After a failed attempt to connect the next one comes a quarter of a second later, however many failed before. In place of a connection
 * that is lost there is no other one, unless the driver shall `reconnect`, which it may where nothing but LISTEN is asked.
 */
export function connect(
  url: string,
  max: number,
  { limits = sessionLimits, whenLost }: { limits?: typeof sessionLimits; whenLost?: WhenLost } = {},
): Client {
  const address = readAddress(url);
  const sql = postgres(address.url, {
    max,
    connect_timeout: 2,
    // The driver's own pauses grow to 20 s, in which a call would wait for its refusal, and everybody for a database that is back.
    backoff: () => 0.25,
    max_lifetime: 60 * 30,
    onnotice: () => {},
    ...{ prepare: address.prepare, ssl: false, socket: dialer(address, choosePrimary(address), whenLost) },
    connection: {
      application_name: 'staff-notification-api',
      TimeZone: 'UTC',
      ...(address.isPooled ? {} : limits),
    },
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  });
  const db = drizzle(sql, { casing: 'snake_case' });
  // drizzle replaces the driver's date parser by one that returns text; our own statements want dates.
  sql.options.parsers[1184] = asMoment;
  return { sql, db };
}

// 'infinity', years before Christ or far in the future: nothing of ours writes them, and one such row must not break a list.
function asMoment(text: string): Date {
  const moment = new Date(text);
  if (!Number.isNaN(moment.getTime())) return moment;
  return new Date(text.startsWith('-') || text.endsWith('BC') ? 0 : Date.UTC(9999, 0));
}

// The front and the pages are two module graphs in one process; the pools are the same in both.
const held = globalThis as { [key: symbol]: Pool | undefined };
const pool = Symbol.for('staff-notification-api.pool');
const poolOfSends = Symbol.for('staff-notification-api.pool-of-sends');
const pools = [pool, poolOfSends];

function client(which: symbol = pool): Pool {
  held[which] ??= openPool(which);
  return held[which];
}

// One that lost a connection gets no more work: what runs on its others goes on there.
function openPool(which: symbol): Pool {
  const limits = which === poolOfSends ? limitsOfSends : sessionLimits;
  const whenLost = () => {
    if (held[which] === opened) retire(which, opened);
  };
  const opened = { ...connect(databaseUrl(), poolSize(), { limits, whenLost }), since: performance.now() };
  return opened;
}

const retiredPools = Symbol.for('staff-notification-api.retired-pools');
const shared = globalThis as { [key: symbol]: Set<Pool> | undefined };
shared[retiredPools] ??= new Set();
const retired = shared[retiredPools];
const longestRestMs = 6000;

function retire(which: symbol, old: Pool): void {
  held[which] = undefined;
  retired.add(old);
  const end = () => old.sql.end({ timeout: 1 }).finally(() => retired.delete(old));
  setTimeout(() => end().catch(() => {}), longestRestMs).unref();
}

/** The driver, for the statements that are written by hand. Connects on first use. */
export const sql = (): Sql => client().sql;

/**
 * The driver for sends, on connections of their own: the driver lets statements queue behind others on one connection, so that a send which
 * waits for a lock would hold up whoever only asks.
 */
export const sqlOfSends = (): Sql => client(poolOfSends).sql;

/**
 * Runs `work` in one transaction on one connection. What `work` returns is committed; what it throws rolls everything back and
 * is thrown again. A database that takes no writes makes the next statements look for the one that does.
 */
export async function inTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  try {
    // The driver's own type unwraps arrays of promises, which no caller returns.
    return (await sql().begin(work)) as Result;
  } catch (error) {
    if (isReadOnly(error)) leaveReadOnly();
    throw error;
  }
}

/** drizzle, for everything else. Connects on first use. */
export const db = (): PostgresJsDatabase => client().db;

/** Ends the pools; statements that are running get `seconds` to finish. */
export async function disconnect(seconds = 5): Promise<void> {
  const open = [...retired, ...pools.map((which) => held[which])];
  await Promise.all(open.map((one) => one?.sql.end({ timeout: seconds })));
  for (const which of pools) held[which] = undefined;
}

/**
 * Gives the pools up for new ones, unless they are younger than this. What they were asked did not come back: their connections may be dead
 * without having said so, or have a queue before them that nobody waits for any more. Or they lead to a database that takes no
 * writes, after the address has moved away from it. What still runs on the old ones gets 6 s.
 */
export function renewPools(youngestMs = 10_000): void {
  for (const which of pools) {
    const old = held[which];
    if (!old || performance.now() - old.since < youngestMs) continue;
    retire(which, old);
  }
}

const leftAtMostEveryMs = 1000;

/** Gives up connections that lead to a database that takes no writes; the next ones go where the address leads by then. */
export const leaveReadOnly = (): void => renewPools(leftAtMostEveryMs);

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

const unaskedCodes = new Set([
  'ECONNREFUSED',
  'CONNECTION_REFUSED',
  'TLS_REFUSED',
  'CONNECT_TIMEOUT',
  'CONNECTION_ENDED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'QUEUE_TIMEOUT',
]);

/**
 * Whether a statement that ended with this error may have been committed all the same: its answer was lost on the way. Certain is only an
 * error from before anything was asked, and PostgreSQL's own refusal that is not the end of the connection; whatever else, may have.
 */
export function mayHaveCommitted(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (unaskedCodes.has(code)) return false;
    if (cause.name === 'PostgresError') return code === '57P01' || code === '57P02' || code.startsWith('08');
  }
  return true;
}

/** Whether an error is PostgreSQL's refusal of a second row with the same value of the named unique index. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === '23505')
      return 'constraint_name' in cause && cause.constraint_name === constraint;
  }
  return false;
}
