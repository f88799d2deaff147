/** The client's address as the front, or the hosting platform, noted it: the last entry of X-Forwarded-For. */
export function clientAddress(forwardedFor: string | null | undefined): string {
  return forwardedFor?.split(',').at(-1)?.trim() || 'unknown';
}
