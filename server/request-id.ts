import { randomUUID } from 'node:crypto';
import { validate, version } from 'uuid';

/**
 * Makes the id of a request: a UUID of version 7 (RFC 9562 §5.7). It begins with the time, so the audit log finds it by
 * its index on times. The random part comes from Node's `randomUUID`, which reads random bytes for 128 ids at once.
 */
export function newRequestId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** The time of a request id, in ms since 1970, or null when the text is no such id. */
export function timeOfRequest(id: string): number | null {
  if (!validate(id) || version(id) !== 7) return null;
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
