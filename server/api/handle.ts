import { setImmediate as breathe } from 'node:timers/promises';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { renewReadOnlyPools } from '#db/client.ts';
import { createDeadline, type WithDeadline } from '#db/deadline.ts';
import { isDatabaseUnavailable, isReadOnlyError, mayHaveCommitted } from '#db/driver/errors.ts';
import { type Failure, type FailureCode, FailureError, failureBody, failures } from '#server/api/failures.ts';
import { findKey } from '#server/api/key-header.ts';
import { preferredLanguage } from '#server/api/language.ts';
import { type Admission, countRequest, requestsPerMinute } from '#server/api/rate-limit.ts';
import { type NotifRequest, readAction, readFields, readIdempotencyKey, unknownAction } from '#server/api/request.ts';
import { type Context, createCaller } from '#server/api/router.ts';
import { failureOf, type ReadInput, type SendInput } from '#server/api/wire.ts';
import { noteCall } from '#server/keys/call-log.ts';
import { fingerprintOf } from '#server/keys/keys.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/meters.ts';
import { newRequestId } from '#server/request-id.ts';

/** An answer, complete; `body` is empty for HEAD. */
export type NotifAnswer = { status: number; headers: Record<string, string>; body: string };

type Outcome = { answer: object; text?: string; replayed?: boolean } | Failure;
type Course = {
  requestId: string;
  fingerprint: Buffer | null;
  admission: Admission | null;
  operation: string;
  /** The names of the fields that came, for a sentence about one that did not. */
  names: string[];
  sending: boolean;
  broadcast: boolean;
  /** What is asked of the database goes through it. */
  patiently: WithDeadline;
};

/**
 * The public interface: a function of a request, the same behind every server. Checks in the order of contract
 * §1 (who, how often, which method, what, to whom) and always answers, with 503 when the database is gone.
 */
export async function handleNotif(request: NotifRequest): Promise<NotifAnswer> {
  const started = performance.now();
  const course: Course = {
    requestId: newRequestId(),
    ...{ fingerprint: null, admission: null, operation: request.method, names: [], sending: false, broadcast: false },
    patiently: createDeadline(),
  };
  const outcome = await run(request, course).catch((error: unknown) => asFailure(error, course));
  const answer = compose(request, course, outcome);
  const ms = Math.round((performance.now() - started) * 10) / 10;
  const code = 'code' in outcome ? outcome.code : undefined;
  const { requestId, admission, operation } = course;
  log().info({ requestId, key: admission?.key.name, operation, status: answer.status, code, ms }, 'notif');
  meters()?.time(known.has(operation) ? operation : 'other', answer.status, ms);
  if (answer.status !== 503) note(request, course, 'code' in outcome ? outcome : null);
  return answer;
}

// A method is anything a client may think of.
const known = new Set(['ping', 'karyawan', 'send']);

function note({ address, header }: NotifRequest, course: Course, refusal: Failure | null): void {
  const { admission, sending: _, names: __, patiently: ___, ...about } = course;
  const client = header('user-agent') ?? '';
  noteCall({ ...about, at: new Date(), key: admission?.key ?? null, refusal, address, client });
}

async function run(request: NotifRequest, course: Course): Promise<Outcome> {
  const found = findKey(request);
  if ('code' in found) {
    const { misplaced, ...failure } = found;
    course.fingerprint = misplaced === undefined ? null : fingerprintOf(misplaced);
    return failure;
  }
  const fingerprint = fingerprintOf(found.key);
  course.fingerprint = fingerprint;
  course.admission = await course.patiently(() => countRequest(fingerprint));
  if (!course.admission) return { code: 'key_rejected' };
  if (!course.admission.admitted) return { code: 'rate_limited' };
  const context = { key: course.admission.key, requestId: course.requestId, idempotencyKey: null, replayed: false };
  if (request.method === 'GET' || request.method === 'HEAD') return read(request, course, context);
  if (request.method === 'POST') return send(request, course, context);
  return { code: 'method_not_allowed', figures: { came: request.method } };
}

async function read(request: NotifRequest, course: Course, context: Context): Promise<Outcome> {
  const action = readAction(request.search);
  if ('code' in action) return action;
  if (action.aksi !== 'ping' && action.aksi !== 'karyawan') return unknownAction(action.aksi);
  course.operation = action.aksi;
  const ask = () => createCaller(context).read(action as ReadInput);
  // A ping asks the database nothing more.
  const answer = action.aksi === 'ping' ? await ask() : await course.patiently(ask);
  return { answer, text: 'karyawan' in answer ? await writeEmployees(answer.karyawan) : undefined };
}

const writtenAtOnce = 2000;

// A list of 100,000 is some 6 MB; written at once it would hold up everybody else's calls.
async function writeEmployees(karyawan: object[]): Promise<string> {
  const pieces: string[] = [];
  for (let from = 0; from < karyawan.length; from += writtenAtOnce) {
    pieces.push(JSON.stringify(karyawan.slice(from, from + writtenAtOnce)).slice(1, -1));
    await breathe();
  }
  return `{"ok":true,"karyawan":[${pieces.join()}]}`;
}

async function send(request: NotifRequest, course: Course, context: Context): Promise<Outcome> {
  course.operation = 'send';
  const idempotency = readIdempotencyKey(request);
  if ('code' in idempotency) return idempotency;
  const body = await readFields(request);
  if ('code' in body) return body;
  context.idempotencyKey = idempotency.idempotencyKey;
  course.names = body.names;
  course.sending = true;
  const answer = await course.patiently(() => createCaller(context).send(body.fields as z.input<typeof SendInput>));
  course.broadcast = !context.replayed && Number(body.fields.user_id ?? 0) === 0;
  return { answer, replayed: context.replayed };
}

function asFailure(error: unknown, { requestId, names, sending }: Course): Failure {
  if (error instanceof TRPCError) {
    if (error.cause instanceof FailureError) return error.cause.failure;
    if (error.cause instanceof z.ZodError && error.code === 'BAD_REQUEST') return failureOf(error.cause, names);
  }
  if (isReadOnlyError(error)) renewReadOnlyPools();
  log().error(
    { requestId, err: error },
    isDatabaseUnavailable(error) ? 'the database is out of reach' : 'a request failed',
  );
  return { code: sending && mayHaveCommitted(error) ? 'unavailable_uncertain' : 'unavailable' };
}

function compose(request: NotifRequest, { requestId, admission }: Course, outcome: Outcome): NotifAnswer {
  const code = 'code' in outcome ? outcome.code : null;
  const status = code ? failures[code].status : 200;
  const headers = baseHeaders(requestId, status === 401 ? 0 : (admission?.remaining ?? 0), code);
  if (admission && status !== 401) headers.RateLimit = `"minute";r=${admission.remaining};t=${admission.endsIn}`;
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (status === 405) headers.Allow = 'GET, HEAD, POST';
  if (status === 429) headers['Retry-After'] = '60';
  if (status === 503) headers['Retry-After'] = '5';
  if ('replayed' in outcome && outcome.replayed) headers['Idempotent-Replayed'] = 'true';
  const body =
    'code' in outcome
      ? failureBody(outcome, preferredLanguage(request.header('accept-language')))
      : (outcome.text ?? JSON.stringify(outcome.answer));
  headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status, headers, body: request.method === 'HEAD' ? '' : body };
}

const links = '</api/v1/openapi.json>; rel="service-desc", </docs>; rel="service-doc"';

// `RateLimit-Policy` and `RateLimit` are those of draft-ietf-httpapi-ratelimit-headers-10, `Link` of RFC 8288 with the relations of RFC 8631.
function baseHeaders(requestId: string, remaining: number, code: FailureCode | null): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-RateLimit-Limit': String(requestsPerMinute),
    'X-RateLimit-Remaining': String(remaining),
    'RateLimit-Policy': `"minute";q=${requestsPerMinute};w=60`,
    'X-Request-Id': requestId,
    Link: code ? `${links}, </docs/errors#${code}>; rel="help"` : links,
  };
}

/** The answer to what never reached the handler: bytes that are not HTTP, or an address below /api/ that is none. */
export function refuseUnread(
  code: 'request_malformed' | 'address_unknown',
  acceptLanguage: string | null = null,
): NotifAnswer {
  meters()?.count('unread_requests', code);
  const body = failureBody({ code }, preferredLanguage(acceptLanguage));
  const headers = { ...baseHeaders(newRequestId(), 0, code), 'Content-Length': String(Buffer.byteLength(body)) };
  return { status: failures[code].status, headers, body };
}
