import { v7, validate, version } from 'uuid';

/** The id of a request: a UUID of version 7 (RFC 9562), which begins with its time and so says where to look for it. */
export const newRequestId = (): string => v7();

/** When the request with this id was made, in ms, or null when the text is no such id. */
export function timeOfRequest(id: string): number | null {
  if (!validate(id) || version(id) !== 7) return null;
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
