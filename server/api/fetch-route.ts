import { forwardedAddress } from '#platform/net/client-address.ts';
import { handleNotif } from '#server/api/handle.ts';
import {
  bodyDeadlineMs,
  idleKeepAliveMs,
  maxBodyBytes,
  type NotifRequest,
  type ReceivedBody,
} from '#server/api/request.ts';
import { type NotifResponse, refuseUnhandled } from '#server/api/response.ts';

/** Answers a request of the public interface as a route handler of Next (Fetch standard). */
export async function answerFetch(request: Request): Promise<Response> {
  return asResponse(await handleNotif(asNotifRequest(request)));
}

/** Answers a request to an unknown address below /api/: 404 in JSON, never a redirect. */
export function answerUnknown(request: Request): Response {
  return asResponse(refuseUnhandled('address_unknown', request.headers.get('accept-language')));
}

function asResponse(answer: NotifResponse): Response {
  const headers = new Headers(answer.headers);
  // The HTTP server writes its own.
  headers.delete('Content-Length');
  return new Response(answer.body === '' ? null : answer.body, { status: answer.status, headers });
}

function asNotifRequest(request: Request): NotifRequest {
  return {
    method: request.method,
    search: new URL(request.url).search,
    address: forwardedAddress(request.headers.get('x-forwarded-for')),
    header: (name) => request.headers.get(name),
    // Fetch does not tell how much of the body has arrived.
    hasShortBody: async () => false,
    readBody: () => readBody(request),
  };
}

async function readBody(request: Request): Promise<ReceivedBody> {
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), bodyDeadlineMs);
  const startedAt = performance.now();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > maxBodyBytes) {
        void dropRest(reader);
        return 'too-large';
      }
      chunks.push(part.value);
    }
  } catch {
    return 'incomplete';
  } finally {
    clearTimeout(timer);
  }
  return performance.now() - startedAt >= bodyDeadlineMs ? 'incomplete' : Buffer.concat(chunks);
}

// A client that is still sending would lose the response if the connection were closed at once.
async function dropRest(reader: ReadableStreamDefaultReader): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), idleKeepAliveMs);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client closed the connection.
  } finally {
    clearTimeout(timer);
  }
}
