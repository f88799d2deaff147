import { clientAddress } from '#server/accounts/client-address.ts';
import { handleNotif, refuseUnread } from '#server/api/handle.ts';
import { bodyDeadlineMs, largestBodyBytes, lingerMs, type NotifRequest } from '#server/api/request.ts';

/** `handleNotif` for servers that speak the Fetch standard: Next's route handlers and hosted platforms. */
export async function answerFetch(request: Request): Promise<Response> {
  const answer = await handleNotif(asNotifRequest(request));
  const { 'Content-Length': _, ...headers } = answer.headers;
  return new Response(answer.body === '' ? null : answer.body, { status: answer.status, headers });
}

/** What every address below /api/ that is none answers: as the interface itself would, in JSON and without a redirect. */
export function answerUnknown(request: Request): Response {
  const { status, headers, body } = refuseUnread('address_unknown', request.headers.get('accept-language'));
  const { 'Content-Length': _, ...rest } = headers;
  return new Response(body, { status, headers: rest });
}

function asNotifRequest(request: Request): NotifRequest {
  return {
    method: request.method,
    search: new URL(request.url).search,
    address: clientAddress(request.headers.get('x-forwarded-for')),
    header: (name) => request.headers.get(name),
    readBody: () => readBody(request),
  };
}

// Whoever is still sending would lose the answer with the connection if it were cut at once.
async function readAway(reader: ReadableStreamDefaultReader): Promise<void> {
  const late = setTimeout(() => void reader.cancel().catch(() => {}), lingerMs);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The caller has gone.
  } finally {
    clearTimeout(late);
  }
}

async function readBody(request: Request): Promise<Uint8Array | 'too-large' | 'incomplete'> {
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  const late = setTimeout(() => void reader.cancel().catch(() => {}), bodyDeadlineMs);
  const started = performance.now();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > largestBodyBytes) {
        void readAway(reader);
        return 'too-large';
      }
      chunks.push(part.value);
    }
  } catch {
    return 'incomplete';
  } finally {
    clearTimeout(late);
  }
  return performance.now() - started >= bodyDeadlineMs ? 'incomplete' : Buffer.concat(chunks);
}
