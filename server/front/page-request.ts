import type { IncomingMessage, ServerResponse } from 'node:http';
import { logCounted } from '#server/log-counted.ts';
import { type PageContext, pageContext } from '#server/page-context.ts';
import { excerptOf } from '#server/redact.ts';

const maxSegments = 3;
const maxSegmentLength = 20;

/**
 * Answers a page request by `answer`. Lines that libraries print meanwhile name the request. When
 * its body was not complete, the log gets one line about it and nothing that libraries print.
 */
export function runForPage<Value>(
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
  answer: () => Promise<Value>,
): Promise<Value> {
  const context: PageContext = {
    address: excerptOf(address, 45),
    method: request.method ?? 'GET',
    path: shortenPath(request.url ?? '/'),
    isCut: false,
  };
  request.once('truncated', () => noteCut(context));
  // Closed before the response was sent.
  response.once('close', () => !request.complete && !response.writableFinished && noteCut(context));
  return pageContext.run(context, answer);
}

function noteCut(context: PageContext): void {
  if (context.isCut) return;
  context.isCut = true;
  const { address, method, path } = context;
  const message = 'the body of a page request was not complete';
  logCounted({ level: 'info', key: message, fields: { address, method, path }, message });
}

// Without the query. Long segments may be tokens of invitations.
function shortenPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const segments = path.split('/', maxSegments + 1).map((one) => (one.length > maxSegmentLength ? '…' : one));
  return excerptOf(segments.join('/'), 80);
}
