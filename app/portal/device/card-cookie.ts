/** The cookie of a browser in which the card about this device was closed or done. */
export const cardCookie = 'device-card';

/** Keeps the card closed in this browser for a year. */
export function rememberCard(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: browsers before 2025 have no CookieStore
  document.cookie = `${cardCookie}=seen; path=/portal; max-age=31536000; samesite=lax`;
}
