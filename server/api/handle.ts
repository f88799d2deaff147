import { setImmediate as nextTurn } from 'node:timers/promises';
import { renewReadOnlyPools } from '#db/client.ts';
import { createDeadline, type WithDeadline } from '#db/deadline.ts';
import { isDatabaseUnavailable, isReadOnlyError, mayHaveCommitted } from '#db/driver/errors.ts';
import { readFields } from '#server/api/body.ts';
import type { Failure } from '#server/api/failures.ts';
import { findKey } from '#server/api/key-header.ts';
import { type Admission, asAdmission, countRequest, isCountedInDatabase } from '#server/api/rate-limit.ts';
import { type NotifRequest, readAction, readIdempotencyKey } from '#server/api/request.ts';
import { composeResponse, type NotifResponse, type Success } from '#server/api/response.ts';
import { createCaller } from '#server/api/router.ts';
import { noteCall } from '#server/keys/call-log.ts';
import type { CountedKey } from '#server/keys/count.ts';
import { fingerprintOf } from '#server/keys/keys.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/meters.ts';
import type { ApiKey } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';
import { isServiceStarting } from '#server/starting.ts';

/** What is fixed when a request begins: its id, and the deadline that all its queries share. */
type RequestScope = { requestId: string; withDeadline: WithDeadline };

/** Who calls. `fingerprint` is also known of a key that was rejected or came in the wrong place. */
type Caller =
  | { fingerprint: Buffer; admission: Admission; failure: null }
  | { fingerprint: Buffer | null; admission: Admission | null; failure: Failure };

/** What was asked, and its result. `operation` is the HTTP method where no operation was found. */
type Outcome = { operation: string; result: Success | Failure };

/**
 * Answers a request of the public interface, the same way behind every HTTP server. It checks
 * in the order of contract §1: key, rate limit, method, input, recipient. When the database is
 * unreachable, the status is 503.
 */
export async function handleNotif(request: NotifRequest): Promise<NotifResponse> {
  const startedAt = performance.now();
  const scope: RequestScope = { requestId: newRequestId(), withDeadline: createDeadline() };
  const { caller, outcome } = await perform(request, scope);
  const response = composeResponse(request, scope.requestId, caller.admission, outcome.result);
  report(request, scope.requestId, caller, outcome, response.status, performance.now() - startedAt);
  return response;
}

type Performed = { caller: Caller; outcome: Outcome };

async function perform(request: NotifRequest, scope: RequestScope): Promise<Performed> {
  const found = findKey(request);
  if ('failure' in found) {
    const { failure, misplacedKey } = found;
    const fingerprint = misplacedKey === undefined ? null : fingerprintOf(misplacedKey);
    return refuse(request, { fingerprint, admission: null, failure });
  }
  const fingerprint = fingerprintOf(found.key);
  if (request.method === 'POST' && isCountedInDatabase() && (await request.hasShortBody()))
    return sendInOneTrip(request, scope, fingerprint).catch((error: unknown) =>
      refuse(request, { fingerprint, admission: null, failure: asFailure(error, scope) }),
    );
  const caller = await authenticate(fingerprint, scope);
  if (caller.failure) return refuse(request, caller);
  const { method } = request;
  const outcome = await performOperation(request, scope, fingerprint, caller.admission.key).catch((error: unknown) => ({
    operation: method,
    result: asFailure(error, scope),
  }));
  return { caller, outcome };
}

const refuse = ({ method }: NotifRequest, caller: Caller & { failure: Failure }): Performed => ({
  caller,
  outcome: { operation: method, result: caller.failure },
});

async function authenticate(fingerprint: Buffer, scope: RequestScope): Promise<Caller> {
  try {
    return asCaller(fingerprint, await scope.withDeadline(() => countRequest(fingerprint)));
  } catch (error) {
    return { fingerprint, admission: null, failure: asFailure(error, scope) };
  }
}

function asCaller(fingerprint: Buffer, admission: Admission | null): Caller {
  if (!admission) return { fingerprint, admission, failure: { code: 'key_rejected' } };
  if (!admission.admitted) return { fingerprint, admission, failure: { code: 'rate_limited' } };
  return { fingerprint, admission, failure: null };
}

/**
 * Sends a notification whose body is here already: the fields are checked first, and one statement
 * authenticates, counts and sends. Fields that are refused cost one statement that counts, because
 * a wrong key and an exceeded limit are answered before wrong fields.
 */
async function sendInOneTrip(request: NotifRequest, scope: RequestScope, fingerprint: Buffer): Promise<Performed> {
  const { result, counted, isFailed } = await send(request, scope, fingerprint, null);
  if (isFailed && 'code' in result) return refuse(request, { fingerprint, admission: null, failure: result });
  const caller =
    counted === undefined
      ? await authenticate(fingerprint, scope)
      : asCaller(fingerprint, counted && asAdmission(counted));
  return caller.failure ? refuse(request, caller) : { caller, outcome: { operation: 'send', result } };
}

async function performOperation(
  request: NotifRequest,
  scope: RequestScope,
  fingerprint: Buffer,
  key: ApiKey,
): Promise<Outcome> {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return read(request, scope, fingerprint, key);
  if (method !== 'POST')
    return { operation: method, result: { code: 'method_not_allowed', figures: { came: method } } };
  const { result } = await send(request, scope, fingerprint, key);
  return { operation: 'send', result };
}

async function read(
  { method, search }: NotifRequest,
  scope: RequestScope,
  fingerprint: Buffer,
  key: ApiKey,
): Promise<Outcome> {
  const action = readAction(search);
  if ('code' in action) return { operation: method, result: action };
  const { aksi } = action;
  const call = () => createCaller({ fingerprint, key, requestId: scope.requestId, idempotencyKey: null }).read(aksi);
  // A ping needs no further query, so no deadline.
  const called = aksi === 'ping' ? call() : scope.withDeadline(call);
  const answer = await called.catch((error: unknown) => asFailure(error, scope));
  if ('code' in answer) return { operation: answer.code === 'aksi_unknown' ? method : aksi, result: answer };
  const body = 'karyawan' in answer ? await writeEmployees(answer.karyawan) : JSON.stringify(answer);
  return { operation: aksi, result: { body } };
}

const employeesPerTurn = 2000;

// A list of 100,000 is about 6 MB. Written in one turn, it would delay other requests.
async function writeEmployees(karyawan: object[]): Promise<string> {
  const pieces: string[] = [];
  for (let from = 0; from < karyawan.length; from += employeesPerTurn) {
    pieces.push(JSON.stringify(karyawan.slice(from, from + employeesPerTurn)).slice(1, -1));
    await nextTurn();
  }
  return `{"ok":true,"karyawan":[${pieces.join()}]}`;
}

// `isFailed`: the database did not answer.
type Sent = { result: Success | Failure; counted?: CountedKey | null; isFailed?: true };

async function send(
  request: NotifRequest,
  scope: RequestScope,
  fingerprint: Buffer,
  key: ApiKey | null,
): Promise<Sent> {
  const idempotency = readIdempotencyKey(request);
  if ('code' in idempotency) return { result: idempotency };
  const received = await readFields(request);
  if ('code' in received) return { result: received };
  const caller = createCaller({ fingerprint, key, requestId: scope.requestId, ...idempotency });
  try {
    const { result, counted } = await scope.withDeadline(() => caller.send(received));
    if ('code' in result) return { result, counted };
    const { answer, replayed, toEveryone } = result;
    return { result: { body: JSON.stringify(answer), replayed, broadcast: toEveryone && !replayed }, counted };
  } catch (error) {
    return { result: asFailure(error, scope, mayHaveCommitted(error)), isFailed: true };
  }
}

// The caller learns only that the service is unavailable, and whether a send is uncertain.
function asFailure(error: unknown, { requestId }: RequestScope, isUncertain = false): Failure {
  if (isReadOnlyError(error)) renewReadOnlyPools();
  const code = isUncertain ? 'unavailable_uncertain' : 'unavailable';
  if (isServiceStarting()) {
    logStarting();
    return { code };
  }
  const isUnavailable = isDatabaseUnavailable(error);
  log().error({ requestId, err: error }, isUnavailable ? 'the database is out of reach' : 'a request failed');
  return { code };
}

let isStartingLogged = false;

// Until the database is prepared every query fails, for reasons that concern nobody.
function logStarting(): void {
  if (!isStartingLogged) log().info('requests get 503 until the database is ready');
  isStartingLogged = true;
}

// A method can be any word, and a metric must not have any number of labels.
const meteredOperations = new Set(['ping', 'karyawan', 'send']);

function report(
  { address, header }: NotifRequest,
  requestId: string,
  { fingerprint, admission }: Caller,
  { operation, result }: Outcome,
  status: number,
  elapsedMs: number,
): void {
  const ms = Math.round(elapsedMs * 10) / 10;
  const refusal = 'code' in result ? result : null;
  const key = admission?.key ?? null;
  log().info({ requestId, key: key?.name, operation, status, code: refusal?.code, ms }, 'notif');
  meters()?.time(meteredOperations.has(operation) ? operation : 'other', status, ms);
  if (status === 503) return;
  const broadcast = 'broadcast' in result && result.broadcast === true;
  const client = header('user-agent') ?? '';
  noteCall({ at: new Date(), requestId, key, fingerprint, refusal, operation, broadcast, address, client });
}
