import { randomUUID } from 'node:crypto';
import { validate, version } from 'uuid';

/**
 * The id of a request: a UUID of version 7 (RFC 9562 §5.7), which begins with its time and so says where to look for it. Its random
 * part is that of one of Node's, which asks the system for random bytes for 128 ids at a time, not for each.
 */
export function newRequestId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** When the request with this id was made, in ms, or null when the text is no such id. */
export function timeOfRequest(id: string): number | null {
  if (!validate(id) || version(id) !== 7) return null;
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
