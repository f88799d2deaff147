import type { ServerResponse } from 'node:http';
import { streamHeaders } from '#server/feed/answer.ts';
import { probeParts } from '#server/front/client-report.ts';

const heldMs = 3000;

/**
 * Answers `notif doctor` at the address of streams, with their headers: the first bytes at once, the
 * last ones 3 s later. A proxy that buffers delivers both together.
 */
export function answerStreamProbe(response: ServerResponse): void {
  response.writeHead(200, streamHeaders).write(probeParts.first);
  const timer = setTimeout(() => response.end(probeParts.last), heldMs);
  response.once('close', () => clearTimeout(timer));
}
