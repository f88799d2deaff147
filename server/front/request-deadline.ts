import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { idleKeepAliveMs } from '#server/api/request.ts';
import { markTruncated, type Truncation, truncationOf } from '#server/front/node-http.ts';

/**
 * The longest wait for a whole head, and for a whole request with its body, from the first byte.
 * The interface waits for a body for 10 s only.
 */
export const requestDeadlines = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 2000 };

// The code of Node's error for a head or a body that took too long.
const isLate = ({ code }: NodeJS.ErrnoException) => code === 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Handles a connection with malformed or slow bytes whose client must get no response or gets one
 * already. `latest` is the response to its latest request. Returns false when the caller must
 * answer.
 */
export function endSilently(
  error: NodeJS.ErrnoException,
  socket: Socket,
  latest: ServerResponse | null | undefined,
): boolean {
  if (!latest) {
    if (!isLate(error) || socket.bytesRead > 0) return false;
    // Browsers open connections in advance. They would take an unexpected response as the response
    // to their next request.
    socket.destroy();
    return true;
  }
  if (latest.writableFinished) {
    // The request was answered before its body was complete.
    if (!latest.req.complete) socket.destroy();
    return !latest.req.complete;
  }
  if (!socket.writable) return false;
  latest.once('finish', () => socket.destroySoon());
  if (!latest.req.complete) markTruncated(latest.req, isLate(error) ? 'late' : 'malformed');
  return true;
}

/**
 * Ends a page request whose body will never be complete: with 408 when it did not come in time,
 * with 400 when it is malformed, and without a response when one has begun. `refuse` writes the
 * response, which must close the connection.
 */
export function refuseTruncated(
  request: IncomingMessage,
  response: ServerResponse,
  refuse: (status: 400 | 408) => void,
): void {
  const end = (reason: Truncation) => {
    if (response.headersSent) return void request.socket.destroy();
    refuse(reason === 'late' ? 408 : 400);
    // A client that does not read the response would hold the connection open.
    setTimeout(() => request.socket.destroy(), idleKeepAliveMs).unref();
  };
  const reason = truncationOf(request);
  if (reason) end(reason);
  else request.once('truncated', end);
}
