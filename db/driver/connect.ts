import { hostname } from 'node:os';
import postgres from 'postgres';
import { DialError, dialer, type HostChoice, type WhenLost } from '#db/driver/dial.ts';
import { type Address, type Host, parseDatabaseUrl } from '#platform/config/database-url.ts';

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

/** One transaction of the driver: a tagged template, as `Sql` is. */
export type Transaction = postgres.TransactionSql<ColumnTypes>;

/** Time limits of a database session, in milliseconds, by their names in PostgreSQL. */
export const sessionLimits = {
  statement_timeout: 5000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
};

/**
 * The limits of a session that sends notifications. A send may wait 2 s in its queue and then up to
 * 3 s for the statement. Both fit into the 5.5 s of a call (`db/deadline.ts`), so a send that only
 * waited is known not to be committed.
 */
export const sendSessionLimits = { ...sessionLimits, statement_timeout: 3000 };

/**
 * Settings for sessions that run few statements very often: PostgreSQL plans each statement once
 * and uses indexes, because a table may grow after the planning.
 */
export const steadyPlans = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };

// `settings` default to `sessionLimits`. By default a lost connection leaves the pool.
type ConnectOptions = { settings?: typeof sessionLimits & Partial<typeof steadyPlans>; whenLost?: WhenLost };

/**
 * Opens a pool of at most `max` connections; the first statement makes the first connection.
 * `bigint` columns arrive as numbers (ours stay far below 2^53), `timestamptz` as `Date`, `date` as
 * text. A connection attempt takes at most 2 s. The session carries `settings`, except behind a
 * pooler: PgBouncer rejects them at the start of a session, so they are set for the role
 * (`ensureSessionLimits`). A lost connection is not replaced in the pool unless `whenLost` is
 * `'reconnect'` (README.md in this folder). Throws when a certificate file cannot be read.
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

/** Runs `use` with one connection to the database at `url`, and closes it afterwards. */
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

// Chooses the host that takes writes. Asks all hosts at once and keeps the first that does, until
// `forget`. A single host is chosen without being asked. `choose` rejects with `DialError` when no
// host takes writes now, and with PostgreSQL's error when one refused the sign-in.
function choosePrimary(address: Address): HostChoice {
  const [only] = address.hosts;
  if (only && address.hosts.length === 1) return { choose: async () => only, forget: () => {} };
  let chosen: Promise<Host> | undefined;
  const forget = () => {
    chosen = undefined;
  };
  const choose = () => {
    if (chosen) return chosen;
    const search = findPrimary(address);
    chosen = search;
    search.catch(() => {
      if (chosen === search) forget();
    });
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
