/** The browsers that allow sound in different settings. */
export type BrowserFamily = 'firefox' | 'safari' | 'ios' | 'android' | 'chrome' | 'edge' | 'other';

/** Returns the family of a user agent. Use it only to choose an instruction. */
export function browserFamily(userAgent: string): BrowserFamily {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Android/.test(userAgent)) return 'android';
  if (/Edg\//.test(userAgent)) return 'edge';
  if (/Chrome\//.test(userAgent)) return 'chrome';
  return /Safari\//.test(userAgent) ? 'safari' : 'other';
}

/** The cookie of a browser in which the card about this device was closed or done. */
export const cardCookie = 'device-card';

export const rememberCard = (): void => storeCard(31_536_000);
export const forgetCard = (): void => storeCard(0);

function storeCard(maxAgeSeconds: number): void {
  const isSecure = location.protocol === 'https:';
  const name = `${isSecure ? '__Host-' : ''}${cardCookie}`;
  // biome-ignore lint/suspicious/noDocumentCookie: browsers before 2025 have no CookieStore
  document.cookie = `${name}=seen; path=/; max-age=${maxAgeSeconds}; samesite=lax${isSecure ? '; secure' : ''}`;
}
