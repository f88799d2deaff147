/**
 * The client's address: the last entry of `X-Forwarded-For`, which the front or the hosting
 * platform wrote. `'unknown'` without one.
 */
export function clientAddress(forwardedFor: string | null | undefined): string {
  return forwardedFor?.split(',').at(-1)?.trim() || 'unknown';
}
