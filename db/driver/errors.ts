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
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57014', // query_canceled, by statement_timeout
  '55P03', // lock_not_available, by lock_timeout
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '25006', // read_only_sql_transaction
]);

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

// An error may wrap the driver's own one, as the page framework and AggregateError do.
function* listCauses(error: unknown): Generator<{ cause: Error; code: string }> {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    yield { cause, code: 'code' in cause ? String(cause.code) : '' };
}

/**
 * Whether an error means that the database cannot answer now: it is out of reach, full, locked, too
 * slow or takes no writes. False for errors of the statement itself.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (const { cause, code } of listCauses(error)) {
    if (unavailableCodes.has(code) || code.startsWith('08')) return true;
    if (cause instanceof AggregateError && cause.errors.some(isDatabaseUnavailable)) return true;
  }
  return false;
}

/**
 * Whether a statement that failed with this error may still have been committed, because its answer
 * was lost. False for an error from before the statement was sent, and for a refusal by PostgreSQL
 * that does not end the connection.
 */
export function mayHaveCommitted(error: unknown): boolean {
  for (const { cause, code } of listCauses(error)) {
    if (notSentCodes.has(code)) return false;
    if (cause.name === 'PostgresError') return code === '57P01' || code === '57P02' || code.startsWith('08');
  }
  return true;
}

/**
 * Whether PostgreSQL answered a statement with an error and stored nothing of it. False when it was
 * not reached: another attempt would only wait again.
 */
export function wasRolledBack(error: unknown): boolean {
  return !mayHaveCommitted(error) && [...listCauses(error)].some(({ cause }) => cause.name === 'PostgresError');
}

/** Whether PostgreSQL refused a write because the database is a standby or set to read only. */
export function isReadOnlyError(error: unknown): boolean {
  return [...listCauses(error)].some(({ code }) => code === '25006');
}

/** Whether PostgreSQL refused a second row with the same value in the named unique index. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  const violation = [...listCauses(error)].find(({ code }) => code === '23505')?.cause;
  return violation !== undefined && 'constraint_name' in violation && violation.constraint_name === constraint;
}
