import { callSettings, connect, type Sql, sessionLimits, type Transaction } from '#db/driver/connect.ts';
import { isReadOnlyError } from '#db/driver/errors.ts';
import {
  type AnyColumn,
  and,
  drizzle,
  eq,
  sql as expression,
  type InferSelectModel,
  is,
  isNull,
  PgDialect,
  type PgTable,
  type PgUpdateSetSource,
  Placeholder,
  type PostgresJsDatabase,
  type SQL,
  type SQLWrapper,
} from '#db/drizzle.cjs';
import type * as tables from '#db/schema/tables.ts';
import { poolSizes } from '#platform/config/connection-budget.ts';
import { databaseUrl } from '#platform/config/database.ts';
import { processWide } from '#platform/config/process-wide.ts';

export type { Sql, Transaction } from '#db/driver/connect.ts';

export type Database = PostgresJsDatabase;

/** The row of each table, for the types of what is not a query's own result. */
export type Rows = { [Name in keyof typeof tables]: InferSelectModel<(typeof tables)[Name]> };

type Pool = { sql: Sql; openedAt: number };
type PoolName = 'main' | 'calls' | 'sends';
type Pools = { open: Partial<Record<PoolName, Pool>>; retired: Set<Pool> };

const pools = processWide('pools', (): Pools => ({ open: {}, retired: new Set() }));

const pool = (name: PoolName): Pool => (pools.open[name] ??= openPool(name));

// A pool that lost a connection gets no more work. Its other connections finish theirs.
function openPool(name: PoolName): Pool {
  const settings = name === 'main' ? sessionLimits : callSettings;
  const whenLost = () => {
    if (pools.open[name] === opened) retire(name, opened);
  };
  const sql = connect(databaseUrl(), poolSizes()[name], { settings, whenLost });
  const opened = { sql, openedAt: performance.now() };
  return opened;
}

function retire(name: PoolName, old: Pool): void {
  delete pools.open[name];
  pools.retired.add(old);
  const end = () => old.sql.end({ timeout: 1 }).finally(() => pools.retired.delete(old));
  setTimeout(() => end().catch(() => {}), 6000).unref();
}

/** The main pool of this process; its first statement connects. */
export const sql = (): Sql => pool('main').sql;

const dialect = new PgDialect();

/** Tests set `observe`. It is called for each `db()`, and what it returns gets the texts of its statements. */
export const statements: { observe?: () => (text: string) => void } = {};

const databases = new WeakMap<Sql | Transaction, Database>();

/** drizzle over a pool or a transaction, with the values and errors of the driver (`bigint`: number, `date`: text). */
export function db(on: Sql | Transaction = sql()): Database {
  const known = databases.get(on);
  if (known && !statements.observe) return known;
  const observe = statements.observe?.();
  const made = drizzle(
    async (text, parameters, method) => {
      observe?.(text);
      const query = runText(on, text, parameters);
      return { rows: withoutGaps<unknown>(method === 'execute' ? await query : await query.values()) };
    },
    {},
    () => dialect,
  ) as unknown as Database;
  databases.set(on, made);
  return made;
}

/** Runs a text with its parameters. PostgreSQL plans it once for each connection, unless a pooler forbids that. */
const runText = <Row extends object>(on: Sql | Transaction, text: string, parameters: unknown[]) =>
  on.unsafe<Row[]>(text, parameters as never[], { prepare: sql().options.prepare });

/** A result without the gaps with which the driver begins one after a statement that failed (db/driver/README.md). */
const withoutGaps = <Row>(rows: readonly Row[]): Row[] => (0 in rows ? (rows as Row[]) : rows.filter(() => true));

/** Whether a column has one of the values. The text is the same for each number of values, unlike that of `inArray`. */
export const isAnyOf = (column: AnyColumn, values: readonly (number | string)[]): SQL =>
  expression`${column} = any(${expression.param(values)})`;

type ColumnValues<Table extends PgTable> = {
  [Name in keyof Table['$inferSelect']]?: Condition<Table['$inferSelect'][Name], Name>;
};
type Condition<Value, Name> = Value | SQLWrapper | (Name extends 'companyId' ? never : readonly NonNullable<Value>[]);

/**
 * Whether columns of a table have these values: a value, another column, or one of a list. Null, and a variable
 * that is null, means without a value. Its text does not depend on the length of a list. Never true without values.
 */
export const matches = <Table extends PgTable>(table: Table, values: ColumnValues<Table>): SQL =>
  and(...Object.entries(values).map(([name, value]) => hasValue(table[name as keyof Table] as AnyColumn, value))) ??
  expression`false`;

function hasValue(column: AnyColumn, value: unknown): SQL {
  if (value === null) return isNull(column);
  return Array.isArray(value) ? isAnyOf(column, value) : eq(column, value);
}

type RowsOfCompany = PgTable & Record<'companyId' | 'id', AnyColumn>;

/** Whether a row is the one with this id of a company. `company` may be the columns of another table. */
export const byId = (
  table: RowsOfCompany,
  company: { companyId: number | AnyColumn },
  id: number | string | SQLWrapper,
) => matches(table, { companyId: company.companyId, id });

type ValuesOfCompany<Table extends PgTable> = ColumnValues<Table> & { companyId: number };

/** Counts the rows of a company with these values, as `matches` takes them, that meet the condition. */
export const countRows = <Table extends PgTable>(
  database: Database,
  table: Table,
  values: ValuesOfCompany<Table>,
  condition?: SQL,
): Promise<number> => database.$count(table, and(matches(table, values), condition));

/** Changes such rows. */
export async function updateRows<Table extends PgTable>(
  database: Database,
  table: Table,
  values: ValuesOfCompany<Table>,
  changes: PgUpdateSetSource<Table>,
  condition?: SQL,
): Promise<void> {
  await database
    .update(table)
    .set(changes)
    .where(and(matches(table, values), condition));
}

/** Deletes such rows. */
export async function deleteRows<Table extends PgTable>(
  database: Database,
  table: Table,
  values: ValuesOfCompany<Table>,
  condition?: SQL,
): Promise<void> {
  await database.delete(table).where(and(matches(table, values), condition));
}

/** Whether a NOTIFY may be sent: with a full queue the transaction fails. The reconciliation finds the rest. */
export const hasNotifyRoom = expression`pg_notification_queue_usage() < 0.9`;

/** The pool for statements of the public interface that never wait for a company's row. */
export const sqlForCalls = (): Sql => pool('calls').sql;

/** The pool for sends that may wait for a lock: the driver would queue other statements behind them. */
export const sqlForSends = (): Sql => pool('sends').sql;

/** Runs `work` in one transaction of the main pool. An error of a read-only database also renews the pools. */
export async function inTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  try {
    // The driver's own type unwraps arrays of promises, which no caller returns.
    return (await pool('main').sql.begin(work)) as Result;
  } catch (error) {
    if (isReadOnlyError(error)) renewReadOnlyPools();
    throw error;
  }
}

/** The first row of a query, or null when it returns none. */
export async function findRow<Row>(query: PromiseLike<readonly Row[]>): Promise<Row | null> {
  const [row] = await query;
  return row ?? null;
}

/** The row of a statement that always returns one. Throws when it returns none. */
export async function requireRow<Row>(query: PromiseLike<readonly Row[]>): Promise<Row> {
  const [row] = await query;
  if (!row) throw new Error('the statement returned no row');
  return row;
}

export const hasRows = async (query: PromiseLike<readonly unknown[]>): Promise<boolean> => (await query).length > 0;

/** Closes all pools. Running statements get `seconds` to finish. */
export async function disconnect(seconds = 5): Promise<void> {
  const all = [...pools.retired, ...Object.values(pools.open)];
  await Promise.all(all.map((pool) => pool.sql.end({ timeout: seconds })));
  pools.open = {};
}

/** Replaces each pool older than `minAgeMs`, whose statements get 6 s: the address may lead to the primary by now. */
export function renewPools(minAgeMs = 10_000): void {
  for (const name of ['main', 'calls', 'sends'] as const) {
    const old = pools.open[name];
    if (old && performance.now() - old.openedAt >= minAgeMs) retire(name, old);
  }
}

/** Replaces pools that lead to a read-only database, at most once a second. */
export const renewReadOnlyPools = (): void => renewPools(1000);

/** The database did not answer in time. The statement may or may not have been executed. */
export class AnswerTimeout extends Error {
  readonly code = 'ANSWER_TIMEOUT';
}

/** Waits for `ask` until the deadline, then throws `AnswerTimeout`. */
export type WithDeadline = <Value>(ask: () => Promise<Value>) => Promise<Value>;

/**
 * Makes a time budget of 5.5 s that several statements share. Unlike PostgreSQL's limits, it covers a server that
 * hangs, a dead connection, and a wait behind other statements. A missed deadline renews the pools.
 */
export function createDeadline(): WithDeadline {
  let remainingMs = 5500;
  return (ask) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const timer = setTimeout(() => {
        renewPools();
        reject(new AnswerTimeout('the database did not answer in time'));
      }, remainingMs);
      ask()
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          remainingMs = Math.max(1, remainingMs - (performance.now() - startedAt));
        });
    });
}

export const withDeadline: WithDeadline = (ask) => createDeadline()(ask);

/** A value of a statement, or its placeholder in a text that is kept. */
export type Value = number | Placeholder;

type Parameter = number | string | null;

// A shape decides which parts a statement has. Text from outside would be cached as a constant.
type Closed<Shape> = { [Name in keyof Shape]: string extends Shape[Name] ? never : Shape[Name] };

/**
 * Returns a function that runs the statement of `build`. `build` runs once for each `shape` and set
 * of names of values, because drizzle writes the text of an inbox in 1 ms of CPU. It gets placeholders
 * in place of the values, so it decides by `shape` only. Whole numbers become a part of the text.
 */
export function cacheStatement<
  Values extends Partial<Record<string, Parameter | Parameter[]>>,
  Row extends object,
  Shape extends Closed<Shape> | null = null,
>(build: (values: { [Name in keyof Values]: Placeholder }, shape: Shape) => SQL) {
  const cached = new Map<string, { text: string; names: string[] }>();
  return async (on: Sql | Transaction, values: Values, shape: Shape): Promise<Row[]> => {
    const key = JSON.stringify([Object.keys(values), shape]);
    let statement = cached.get(key);
    if (!statement) {
      const placeholders = Object.keys(values).map((name) => [name, expression.placeholder(name)]);
      statement = asCached(build(Object.fromEntries(placeholders), shape));
      cached.set(key, statement);
    }
    const parameters = statement.names.map((name) => values[name]);
    return withoutGaps<Row>(await runText<Row>(on, statement.text, parameters));
  };
}

// drizzle makes a parameter of each use of a value. One for each name tells PostgreSQL which values are equal.
function asCached(statement: SQL) {
  const { sql: query, params } = dialect.sqlToQuery(statement);
  const names: string[] = [];
  const text = query.replace(/\$(\d+)/g, (_, place) => {
    const value = params[Number(place) - 1];
    if (Number.isSafeInteger(value)) return Number(value) < 0 ? `(${value})` : String(value);
    if (!is(value, Placeholder))
      throw new Error(`a ${typeof value} cannot be a part of a cached statement; make it a placeholder`);
    if (!names.includes(value.name)) names.push(value.name);
    return `$${names.indexOf(value.name) + 1}`;
  });
  return { text, names };
}
