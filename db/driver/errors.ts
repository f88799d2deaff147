// Codes of Node, of the driver and our own queues, and of PostgreSQL: its classes of connections (08), serialization
// and deadlocks (40), resources (53) and operators (57); lock_timeout, a read-only database, timeouts of a transaction,
// errors of its system and its files.
const unavailable = [
  /^E(?:CONNREFUSED|CONNRESET|PIPE|NOTFOUND|AI_AGAIN|TIMEDOUT|NETUNREACH|HOSTUNREACH)$/,
  /^(?:QUEUE|ANSWER|CONNECT)_TIMEOUT$|^CONNECTION_(?:REFUSED|CLOSED|ENDED|DESTROYED)$/,
  /^(?:(?:08|40|53|57)[0-9A-Z]{3}|55P03|25006|25P0[34]|58000|58030)$/,
];
const notSent =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|(?:CONNECTION|TLS)_REFUSED|CONNECTION_ENDED|(?:CONNECT|QUEUE)_TIMEOUT)$/;

// Other errors may wrap the driver's error as their `cause`.
function* listCauses(error: unknown): Generator<{ cause: Error; code: string }> {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    yield { cause, code: 'code' in cause ? String(cause.code) : '' };
}

/** Whether the database cannot answer now: out of reach, full, locked, too slow or read-only. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (const { cause, code } of listCauses(error)) {
    if (unavailable.some((codes) => codes.test(code))) return true;
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

/** Whether a retry fails too. False while the database is unavailable, or refuses connections after a new password. */
export const isDefect = (error: unknown): boolean =>
  !isDatabaseUnavailable(error) && ![...listCauses(error)].some(({ code }) => refusedSettings.test(code));

/** Whether a failed statement may have been committed: it was sent, and PostgreSQL did not reject it without ending the connection. */
export function mayHaveCommitted(error: unknown): boolean {
  for (const { cause, code } of listCauses(error)) {
    if (notSent.test(code)) return false;
    if (cause.name === 'PostgresError') return code === '57P01' || code === '57P02' || code.startsWith('08');
  }
  return true;
}

/** Whether PostgreSQL answered with an error and stored nothing. False when it was not reached. */
export const wasRolledBack = (error: unknown): boolean =>
  !mayHaveCommitted(error) && [...listCauses(error)].some(({ cause }) => cause.name === 'PostgresError');

export const isReadOnlyError = (error: unknown): boolean => [...listCauses(error)].some(({ code }) => code === '25006');

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
