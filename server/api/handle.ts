import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDeadline, renewReadOnlyPools, type WithDeadline } from '#db/client.ts';
import { isDefect, isReadOnlyError, mayHaveCommitted } from '#db/driver/errors.ts';
import { addressGroup } from '#platform/config/ip-address.ts';
import { isServiceStarting } from '#platform/config/processes.ts';
import { log, logRepeats } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { type Failure, isFailure } from '#server/api/failures.ts';
import { type CallContext, type Outcome, trpc } from '#server/api/procedure.ts';
import { type Admission, asAdmission, countRequest, isCountedInDatabase } from '#server/api/rate-limit.ts';
import { read } from '#server/api/read.ts';
import { findKey, type NotifRequest, readAction, readFields, readIdempotencyKey } from '#server/api/request.ts';
import { composeResponse, type NotifResponse, type Success } from '#server/api/response.ts';
import { failureOfInput, type SendAnswer, type SendInput, send } from '#server/api/send.ts';
import { noteCall } from '#server/keys/call-log.ts';
import { fingerprintOf } from '#server/keys/keys.ts';
import { newRequestId } from '#server/request-id.ts';

/** All that a key may do: ping and list (GET), send (POST). */
export const router = trpc.router({ read, send });

const createCaller = trpc.createCallerFactory(router);

// A request that is being answered: its id, and the deadline that all its queries share.
// `isSending` is true from the moment when a statement may store a notification.
type Scope = { requestId: string; withDeadline: WithDeadline; isSending: boolean };

// What became of a request. `operation` is its HTTP method where no operation was found.
// `fingerprint` is also set for a rejected or misplaced key.
type Call = { operation: string; fingerprint: Buffer | null; admission: Admission | null; result: Success | Failure };

/** The result of an operation. Without `admission` the operation did not count the request. */
type Operated = { operation: string; result: Success | Failure; admission?: Admission | null };

/** Answers a request in the order of contract §1. 503 without the database, 500 for a defect. */
export async function handleNotif(request: NotifRequest): Promise<NotifResponse> {
  const startedAt = performance.now();
  const scope: Scope = { requestId: newRequestId(), withDeadline: createDeadline(), isSending: false };
  const call = await perform(request, scope);
  const response = composeResponse(request, scope.requestId, call.admission, call.result);
  report(request, scope.requestId, call, response.status, performance.now() - startedAt);
  return response;
}

async function perform(request: NotifRequest, scope: Scope): Promise<Call> {
  const sentKey = findKey(request);
  const unknown = { operation: request.method, fingerprint: null, admission: null };
  if ('failure' in sentKey) {
    const { failure, misplacedKey } = sentKey;
    return { ...unknown, fingerprint: misplacedKey ? fingerprintOf(misplacedKey) : null, result: failure };
  }
  const fingerprint = fingerprintOf(sentKey.key);
  let call: Omit<Call, 'result'> = { ...unknown, fingerprint };
  try {
    // When the body has arrived already, its fields are checked first, and one statement
    // authenticates, counts and sends. Otherwise a statement counts first.
    const isOneTrip = request.method === 'POST' && isCountedInDatabase() && (await request.hasShortBody());
    const early = isOneTrip ? await answerSend(request, scope, { fingerprint, key: null }) : undefined;
    const admission =
      early?.admission === undefined ? await scope.withDeadline(() => countRequest(fingerprint)) : early.admission;
    call = { ...call, admission };
    if (!admission) return { ...call, result: { code: 'key_rejected' } };
    if (!admission.admitted) return { ...call, result: { code: 'rate_limited' } };
    const operated = early ?? (await operate(request, scope, { fingerprint, key: admission.key }));
    return { ...call, operation: operated.operation, result: operated.result };
  } catch (error) {
    return { ...call, result: asFailure(error, scope) };
  }
}

type Caller = Pick<CallContext, 'fingerprint' | 'key'>;

async function operate(request: NotifRequest, scope: Scope, caller: Caller): Promise<Operated> {
  const { method } = request;
  if (method === 'POST') return answerSend(request, scope, caller);
  if (method === 'GET' || method === 'HEAD') return answerRead(request, scope, caller);
  return { operation: method, result: { code: 'method_not_allowed', parameters: { received: method } } };
}

async function answerRead({ method, search }: NotifRequest, scope: Scope, caller: Caller): Promise<Operated> {
  const action = readAction(search);
  if (isFailure(action)) return { operation: method, result: action };
  const procedures = createCaller({ ...caller, requestId: scope.requestId, idempotencyKey: null });
  const { result } = await scope.withDeadline(() => procedures.read(action));
  if (isFailure(result)) return { operation: method, result };
  const body = result.karyawan ? await writeEmployees(result.karyawan) : JSON.stringify(result);
  return { operation: action.aksi, result: { body } };
}

const employeesPerTurn = 2000;

// A list of 100,000 is about 6 MB. Serialized at once, it would delay other requests.
async function writeEmployees(karyawan: object[]): Promise<string> {
  const pieces: string[] = [];
  for (let from = 0; from < karyawan.length; from += employeesPerTurn) {
    pieces.push(JSON.stringify(karyawan.slice(from, from + employeesPerTurn)).slice(1, -1));
    await nextTurn();
  }
  return `{"ok":true,"karyawan":[${pieces.join()}]}`;
}

async function answerSend(request: NotifRequest, scope: Scope, caller: Caller): Promise<Operated> {
  const operation = 'send';
  const idempotency = readIdempotencyKey(request);
  if (isFailure(idempotency)) return { operation, result: idempotency };
  const fields = await readFields(request);
  if (isFailure(fields)) return { operation, result: fields };
  const procedures = createCaller({ ...caller, requestId: scope.requestId, ...idempotency });
  scope.isSending = true;
  const { result, counted, replayed, toEveryone }: Outcome<SendAnswer> = await scope
    .withDeadline(() => procedures.send(fields as SendInput))
    .catch((error: unknown) => ({ result: failureOfInput(error, fields) }));
  scope.isSending = false;
  const admission = counted && asAdmission(counted);
  if (isFailure(result)) return { operation, result, admission };
  const broadcast = toEveryone && !replayed;
  return { operation, result: { body: JSON.stringify(result), replayed, broadcast }, admission };
}

// 503 where a retry can help, 500 for a defect. Each says whether something may have been sent.
function asFailure(error: unknown, { requestId, isSending }: Scope): Failure {
  if (isReadOnlyError(error)) renewReadOnlyPools();
  const isUncertain = isSending && mayHaveCommitted(error);
  if (!isServiceStarting() && isDefect(error)) {
    log().error({ requestId, err: error }, 'a request failed because of a defect');
    return { code: 'internal_error', parameters: { received: isUncertain ? 'perhaps_sent' : 'nothing_sent' } };
  }
  // Until the database is prepared every query fails, so the errors are not logged.
  if (isServiceStarting() && !isStartingLogged) log().info('requests get 503 until the database is ready');
  isStartingLogged ||= isServiceStarting();
  if (!isServiceStarting()) logRepeats('error', {}, { requestId, err: error }, 'the database is out of reach');
  return { code: isUncertain ? 'unavailable_uncertain' : 'unavailable' };
}

let isStartingLogged = false;

// A method can be any word, and a metric must have a bounded number of labels.
const measuredOperations = new Set(['ping', 'karyawan', 'send']);

function report(
  { address, header }: NotifRequest,
  requestId: string,
  { operation, fingerprint, admission, result }: Call,
  status: number,
  elapsedMs: number,
): void {
  const ms = Math.round(elapsedMs * 10) / 10;
  const rejection = isFailure(result) ? result : null;
  const key = admission?.key ?? null;
  const line = { requestId, key: key?.name, operation, ms };
  // The limit of a key bounds the lines of the requests that it admits.
  if (admission?.admitted) log().info({ ...line, status, code: rejection?.code }, 'notif');
  else logRepeats('info', { status, code: rejection?.code, address: addressGroup(address) }, line, 'notif');
  metrics()?.time(measuredOperations.has(operation) ? operation : 'other', status, ms);
  if (status >= 500) return;
  const broadcast = 'broadcast' in result && result.broadcast === true;
  const client = header('user-agent') ?? '';
  noteCall({ at: new Date(), requestId, key, fingerprint, rejection, operation, broadcast, address, client });
}
