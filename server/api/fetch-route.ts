import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { forwardedAddress } from '#platform/net/client-address.ts';
import { handleNotif } from '#server/api/handle.ts';
import { bodyDeadlineMs, idleKeepAliveMs, maxBodyBytes, type NotifRequest } from '#server/api/request.ts';
import { type NotifResponse, refuseUnhandled } from '#server/api/response.ts';

/** Answers a request of the public interface as a route handler of Next (Fetch standard). */
export const answerFetch = async (request: Request): Promise<Response> =>
  asResponse(await handleNotif(asNotifRequest(request)));

/** Answers a request to an unknown address below /api/: 404 in JSON, never a redirect. */
export const answerUnknown = (request: Request): Response =>
  asResponse(refuseUnhandled('address_unknown', request.headers.get('accept-language')));

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

async function readBody({ body }: Request) {
  if (!body) return new Uint8Array();
  const stream = Readable.fromWeb(body as ReadableStream, { signal: AbortSignal.timeout(bodyDeadlineMs) });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > maxBodyBytes) break;
    }
  } catch {
    return 'incomplete';
  }
  if (size <= maxBodyBytes) return Buffer.concat(chunks);
  void dropRest(stream);
  return 'too-large';
}

// A client that is still sending would lose the response if the connection were closed at once.
async function dropRest(stream: Readable): Promise<void> {
  await finished(stream.resume(), { signal: AbortSignal.timeout(idleKeepAliveMs) }).catch(() => {});
  stream.destroy();
}
