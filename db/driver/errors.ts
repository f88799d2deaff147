// Codes of Node, of the driver and of our own queues.
const unavailableCodes = new Set([
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
  '55P03', // lock_not_available, by lock_timeout
  '25006', // read_only_sql_transaction
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '58000', // system_error
  '58030', // io_error
]);

// Classes of PostgreSQL's codes: connections, serialization and deadlocks, resources (disk, memory,
// connections), and operators (shutdown, statement_timeout).
const unavailableClass = /^(?:08|40|53|57)[0-9A-Z]{3}$/;

const notSentCodes = new Set([
  'ECONNREFUSED',
  'CONNECTION_REFUSED',
  'TLS_REFUSED',
  'CONNECT_TIMEOUT',
  'CONNECTION_ENDED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'QUEUE_TIMEOUT',
]);

// Other errors may wrap the driver's error as their `cause`.
function* listCauses(error: unknown): Generator<{ cause: Error; code: string }> {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    yield { cause, code: 'code' in cause ? String(cause.code) : '' };
}

/**
 * Whether the database cannot answer now: out of reach, full, locked, too slow or read-only. False for errors of the
 * statement itself.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (const { cause, code } of listCauses(error)) {
    if (unavailableCodes.has(code) || unavailableClass.test(code)) return true;
    if (cause instanceof AggregateError && cause.errors.some(isDatabaseUnavailable)) return true;
  }
  return false;
}

/** For `catch`: null when the database cannot answer now; it throws other errors again. */
export function nullIfUnavailable(error: unknown): null {
  if (isDatabaseUnavailable(error)) return null;
  throw error;
}

// PostgreSQL accepts no connection with these settings: role, password or database name, or TLS.
const refusedSettings = /^(?:28[0-9A-Z]{3}|3D000|TLS_REFUSED)$/;

/**
 * Whether an error of a running service is a defect, so that a retry fails too. False while the database is unavailable
 * or refuses connections, for example after a new password.
 */
export function isDefect(error: unknown): boolean {
  return !isDatabaseUnavailable(error) && ![...listCauses(error)].some(({ code }) => refusedSettings.test(code));
}

/**
 * Whether a failed statement may have been committed, because its answer was lost. False before it was sent, and when
 * PostgreSQL rejects it without ending the connection.
 */
export function mayHaveCommitted(error: unknown): boolean {
  for (const { cause, code } of listCauses(error)) {
    if (notSentCodes.has(code)) return false;
    if (cause.name === 'PostgresError') return code === '57P01' || code === '57P02' || code.startsWith('08');
  }
  return true;
}

/**
 * Whether PostgreSQL answered with an error and stored nothing. False when it was not reached: a retry would wait
 * again.
 */
export function wasRolledBack(error: unknown): boolean {
  return !mayHaveCommitted(error) && [...listCauses(error)].some(({ cause }) => cause.name === 'PostgresError');
}

/** Whether PostgreSQL rejected a write because the database is a standby or set to read only. */
export function isReadOnlyError(error: unknown): boolean {
  return [...listCauses(error)].some(({ code }) => code === '25006');
}

/** What `change` returns, or `outcome` when PostgreSQL rejected a duplicate value in the named unique index. */
export async function unlessDuplicate<Result, Outcome extends string>(
  constraint: string,
  outcome: Outcome,
  change: Promise<Result>,
): Promise<Result | Outcome> {
  return change.catch((error: unknown) => {
    const violation = [...listCauses(error)].find(({ code }) => code === '23505')?.cause;
    if (violation && 'constraint_name' in violation && violation.constraint_name === constraint) return outcome;
    throw error;
  });
}
