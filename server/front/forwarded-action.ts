import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { authSecret } from '#server/env.ts';

// Next forwards an action to the page that has it: as a request to this service, perhaps to another
// of its processes, with the headers that came. So this header shows that the front saw the action.
const markHeader = 'x-passed-on-by';
const hostHeader = 'x-passed-on-host';

// A cache: the secret does not change while a process runs.
let mark: Buffer | undefined;

/**
 * Marks an action that goes to Next, with the host that was asked, and removes the header that only
 * Next may set.
 */
export function markAction({ headers }: IncomingMessage): void {
  delete headers['x-action-forwarded'];
  if (headers['next-action'] === undefined) return;
  headers[markHeader] = ownMark().toString();
  headers[hostHeader] = headers.host;
}

/**
 * Gives an action that Next forwarded the host of the request that came. Next puts its own address
 * there, which behind a proxy differs from the `Origin` of the page.
 */
export function restoreHost({ headers }: IncomingMessage): void {
  const host = headers[hostHeader];
  if (typeof host === 'string') headers.host = host;
}

/** Whether Next sent this request: it forwards an action that the front has checked already. */
export function isForwardedAction({ headers }: IncomingMessage): boolean {
  const given = headers[markHeader];
  if (headers['x-action-forwarded'] === undefined || typeof given !== 'string') return false;
  const bytes = Buffer.from(given);
  return bytes.length === ownMark().length && timingSafeEqual(bytes, ownMark());
}

function ownMark(): Buffer {
  mark ??= Buffer.from(createHmac('sha256', authSecret()).update('a forwarded action').digest('hex'));
  return mark;
}
