import { metrics } from '#platform/log/metrics.ts';
import { chooseLanguage } from '#platform/net/choose-language.ts';
import { type Failure, type FailureCode, failureBody, failures } from '#server/api/failures.ts';
import type { Admission } from '#server/api/rate-limit.ts';
import type { ReceivedKind } from '#server/api/received-kind.ts';
import type { NotifRequest } from '#server/api/request.ts';
import { requestsPerMinute } from '#server/keys/key-limits.ts';
import { newRequestId } from '#server/request-id.ts';

/** A complete HTTP response. Its body is empty for HEAD. */
export type NotifResponse = { status: number; headers: Record<string, string>; body: string };

/** The result of a request that is answered with 200; `body` is its JSON. */
export type Success = { body: string; replayed?: boolean; broadcast?: boolean };

/** Makes the response from a result. Only here results get a status, headers and language. */
export function composeResponse(
  { method, header }: NotifRequest,
  requestId: string,
  admission: Admission | null,
  result: Success | Failure,
): NotifResponse {
  const code = 'code' in result ? result.code : null;
  const status = code ? failures[code].status : 200;
  const headers = baseHeaders(requestId, status === 401 ? 0 : (admission?.remaining ?? 0), code);
  if (admission && status !== 401) headers.RateLimit = `"minute";r=${admission.remaining};t=${admission.endsIn}`;
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (status === 405) headers.Allow = 'GET, HEAD, POST';
  if (status === 429) headers['Retry-After'] = '60';
  if (status === 503) headers['Retry-After'] = '5';
  if ('replayed' in result && result.replayed) headers['Idempotent-Replayed'] = 'true';
  const body = 'code' in result ? failureBody(result, languageFor(header('accept-language'))) : result.body;
  headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status, headers, body: method === 'HEAD' ? '' : body };
}

const links = '</api/v1/openapi.json>; rel="service-desc", </docs>; rel="service-doc"';

const languageFor = (acceptLanguage: string | null) => chooseLanguage([], acceptLanguage, 'program');

// RateLimit: draft-ietf-httpapi-ratelimit-headers-10. Link: RFC 8288 and RFC 8631.
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

/** The response to bytes that are not HTTP, and to unknown addresses. No key is judged. `received`: the mistake. */
export function refuseUnhandled(
  code: 'request_malformed' | 'address_unknown',
  acceptLanguage: string | null = null,
  received?: ReceivedKind,
): NotifResponse {
  metrics()?.count('unread_requests', code);
  const body = failureBody({ code, parameters: { received } }, languageFor(acceptLanguage));
  const headers = baseHeaders(newRequestId(), 0, code);
  headers['Content-Length'] = String(Buffer.byteLength(body));
  if (code === 'address_unknown') delete headers['X-RateLimit-Remaining'];
  return { status: failures[code].status, headers, body };
}
