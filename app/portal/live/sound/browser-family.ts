/** The browsers whose way to allow sound differs. */
export type BrowserFamily = 'firefox' | 'safari' | 'ios' | 'android' | 'chrome' | 'edge' | 'other';

/** The family of a browser by its user agent string; only for choosing an instruction. */
export function browserFamily(userAgent: string): BrowserFamily {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Android/.test(userAgent)) return 'android';
  if (/Edg\//.test(userAgent)) return 'edge';
  if (/Chrome\//.test(userAgent)) return 'chrome';
  return /Safari\//.test(userAgent) ? 'safari' : 'other';
}
