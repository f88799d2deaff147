import { isDevelopment } from '#platform/config/build.ts';
import { env } from '#platform/config/settings.ts';

/** The security headers of every page and every refusal; `transportHeaders` adds `Strict-Transport-Security`. */
export const commonHeaders: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Features that no page uses. Clipboard, sound, notifications and wake lock stay allowed.
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()',
};

/** The Content-Security-Policy of data: JSON, CSV, plain text, and errors without a page. */
export const dataPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The Content-Security-Policy of an uploaded picture, which may do nothing, even opened alone. */
export const picturePolicy = `${dataPolicy}; sandbox`;

/** The headers of responses to a portal's frequent requests: the least that data needs. */
export const leanHeaders: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': dataPolicy,
};

/** The headers of scripts. A worker fetches and loads parts, also in a page with a `Cross-Origin-Embedder-Policy`. */
export const fileHeaders: Record<string, string> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** The window of a bell keeps the frame that opened it, and gives the ticket to it only. */
export const bellWindowHeaders: Record<string, string> = { 'Cross-Origin-Opener-Policy': 'unsafe-none' };

/** The headers with which a page that has a `Cross-Origin-Embedder-Policy` may show the bell. */
export const bellHeaders: Record<string, string> = {
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The Content-Security-Policy of the offline page: inline styles and a script (e2e/pages/offline.spec.ts). */
export const offlinePolicy =
  "default-src 'none'; script-src 'sha256-IUoECWGqZcGNwlW3CDqD2whuxFDYLE7m0dV7yF4R4OA='; connect-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The Content-Security-Policy of the example of a page with the bell. `e2e/portal/embedded-bell.spec.ts` opens it. */
export const bellExamplePolicy =
  "default-src 'none'; script-src 'self'; frame-src 'self'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const isEncrypted = () => env().APP_URL.startsWith('https:');

/** `Strict-Transport-Security` for two years when APP_URL is https; empty otherwise. */
export const transportHeaders = (): Record<string, string> =>
  isEncrypted() ? { 'Strict-Transport-Security': `max-age=${2 * 365 * 24 * 60 * 60}` } : {};

/** The headers of a response that is data, or an error without a page. */
export function dataHeaders(): Record<string, string> {
  return { ...commonHeaders, ...transportHeaders(), 'Content-Security-Policy': dataPolicy };
}

/**
 * The Content-Security-Policy of one page, which pages of `ancestors` may show in a frame: scripts and styles with the
 * nonce, nothing of other hosts. Mantine sets sizes in style attributes.
 */
export function pagePolicy(nonce: string, ancestors = "'none'"): string {
  const rules = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment() ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${isDevelopment() ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
  ];
  return [...rules, ...(isEncrypted() ? ['upgrade-insecure-requests'] : [])].join('; ');
}
