import { hostname } from 'node:os';
import postgres from 'postgres';
import { DialError, dialer, type HostChoice, type WhenLost } from '#db/driver/dial.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { type Address, type Host, parseDatabaseUrl } from '#platform/config/database.ts';
import { log } from '#platform/log/log.ts';

const types = {
  bigint: { to: 20, from: [20], parse: Number, serialize: String },
  timestamp: { to: 1184, from: [1184], parse: parseTimestamp, serialize: writeTimestamp },
  day: { to: 1082, from: [1082, 1114], parse: String, serialize: String },
  // Parameters of these types are JSON text already: `${JSON.stringify(value)}::jsonb`.
  json: { to: 114, from: [114, 3802], parse: (text: string): string => JSON.parse(text), serialize: String },
};
type ColumnTypes = { bigint: number; timestamp: Date; day: string; json: string };

/** A pool of connections of the driver. Call it as a tagged template to run a statement. */
export type Sql = postgres.Sql<ColumnTypes>;

export type Transaction = postgres.TransactionSql<ColumnTypes>;

/** Time limits of a database session, in milliseconds, by their names in PostgreSQL. */
export const sessionLimits = {
  statement_timeout: 5000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
};

// Of a session that sends: with 2 s in the queue below the 5.5 s of a call, so one that only waited is not committed.
const sendSessionLimits = { ...sessionLimits, statement_timeout: 3000 };

/** For few statements that run very often: PostgreSQL plans each once and uses indexes, as a table may grow later. */
export const callSettings = { ...sendSessionLimits, plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };

// `settings` default to `sessionLimits`. By default a lost connection leaves the pool.
type ConnectOptions = { settings?: typeof sessionLimits | typeof callSettings; whenLost?: WhenLost };

/**
 * Opens a pool of at most `max` connections; the first statement makes the first one, within 2 s. Behind a pooler,
 * which rejects `settings`, the role has them (`ensureSessionLimits`). A lost connection is not replaced unless
 * `whenLost` is `'reconnect'` (README.md in this folder). Throws when a certificate file cannot be read.
 */
export function connect(url: string, max: number, { settings = sessionLimits, whenLost }: ConnectOptions = {}): Sql {
  const address = parseDatabaseUrl(url);
  return postgres(address.url, {
    ...commonOptions(address, whenLost),
    max,
    // In seconds. The driver's default grows to 20 s, and all calls would wait that long.
    backoff: () => 0.25,
    max_lifetime: 60 * 30,
    prepare: address.prepare,
    connection: {
      // Names the process, so that the database can count them.
      application_name: `staff-notification-api ${process.pid}@${hostname()}`,
      TimeZone: 'UTC',
      ...(address.isPooled ? {} : settings),
    },
    types,
  });
}

// The driver's types do not know `socket`.
const commonOptions = (address: Address, whenLost?: WhenLost) => ({
  connect_timeout: 2,
  onnotice: () => {},
  ssl: false,
  socket: dialer(address, choosePrimary(address), whenLost),
});

export async function withConnection<Result>(url: string, use: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = connect(url, 1);
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function writeTimestamp(timestamp: Date | string): string {
  return timestamp instanceof Date ? timestamp.toISOString() : timestamp;
}

// The service never writes 'infinity' or a year out of 1 to 9999. One such row must not break a list.
function parseTimestamp(text: string): Date {
  const timestamp = new Date(text);
  if (!Number.isNaN(timestamp.getTime())) return timestamp;
  return new Date(text.startsWith('-') || text.endsWith('BC') ? 0 : Date.UTC(9999, 0));
}

// Chooses the host that takes writes: asks all at once and keeps the first that does, until `forget`. A single host is
// not asked. Rejects with `DialError` when none takes writes now, or with PostgreSQL's error when one refused it.
function choosePrimary(address: Address): HostChoice {
  const [only] = address.hosts;
  if (only && address.hosts.length === 1) return { choose: async () => only, forget: () => {} };
  let chosen: Promise<Host> | undefined;
  const forget = () => {
    chosen = undefined;
  };
  const choose = () => {
    chosen ??= findPrimary(address);
    const search = chosen;
    search.catch(() => chosen === search && forget());
    return search;
  };
  return { choose, forget };
}

async function findPrimary(address: Address): Promise<Host> {
  try {
    return await Promise.any(address.hosts.map((host) => requireWritable(address, host)));
  } catch (error) {
    const refusal = (error as AggregateError).errors.find((reason) => reason instanceof postgres.PostgresError);
    throw refusal ?? new DialError('none of the hosts takes writes now');
  }
}

async function requireWritable(address: Address, host: Host): Promise<Host> {
  const options = { ...commonOptions({ ...address, hosts: [host] }), max: 1, prepare: false, fetch_types: false };
  const sql = postgres(address.url, options);
  try {
    const [row] = await sql<{ isReadOnly: boolean }[]>`
      select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as "isReadOnly"`;
    if (row?.isReadOnly) throw new DialError('the host takes no writes');
    return host;
  } finally {
    void sql.end({ timeout: 0 });
  }
}

// `ignored`: sessions lack the limits although no pooler was named. `given`: the role has just got them. `refused`: the
// role may not set them, for this reason of PostgreSQL.
type SessionLimitsState = 'hold' | 'ignored' | 'given' | { refused: string };

/**
 * Makes sure that every session at `url` has time limits at most as long as ours. Behind a pooler, the role gets those
 * of a send as its defaults in this database; sessions that the pooler holds get them when it renews them.
 */
export async function ensureSessionLimits(url: string): Promise<SessionLimitsState> {
  const { isPooled } = parseDatabaseUrl(url);
  const limits: Record<string, number> = isPooled ? sendSessionLimits : sessionLimits;
  const ensure = async (sql: Sql) => {
    const settings = await sql<{ name: string; setting: string }[]>`
      select name, setting from pg_settings where name in ${sql(Object.keys(limits))}`;
    const missing = settings.filter(({ name, setting }) => !isWithin(setting, limits[name] ?? 0));
    if (missing.length === 0) return 'hold';
    if (!isPooled) return 'ignored';
    const [session] = await sql<{ role: string; database: string }[]>`
      select quote_ident(current_user) as role, quote_ident(current_database()) as database`;
    for (const { name } of missing)
      await sql.unsafe(`alter role ${session?.role} in database ${session?.database} set ${name} = ${limits[name]}`);
    return 'given';
  };
  return withConnection(url, ensure).catch((error) => ({
    refused: error instanceof Error ? error.message : String(error),
  }));
}

// 0 means no limit.
const isWithin = (setting: string, limitMs: number) => Number(setting) > 0 && Number(setting) <= limitMs;

/**
 * Keeps the process alive when a connection is lost while the driver fetches the types of arrays (README.md, "Array
 * types"). Every other unhandled rejection still ends it, unless Next listens and logs it.
 */
export function surviveLostConnections(): void {
  process.on('unhandledRejection', (error) => {
    if (isDatabaseUnavailable(error))
      return log().debug({ err: error }, 'a connection to the database was lost as it began');
    if (process.listenerCount('unhandledRejection') === 1) throw error;
  });
}
