import { env, isDevelopment } from '#server/env.ts';

/** What a browser may do with every answer to it, whatever it is; `Strict-Transport-Security` comes from `transportHeaders`. */
export const commonHeaders: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // What no page of ours uses. Copying, sound and notifications stay allowed; the portal on its screen may keep it awake.
  'Permissions-Policy':
    'accelerometer=(), bluetooth=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()',
};

/** The policy of answers that are read and not run: JSON, CSV, plain text, and refusals without a page. */
export const dataPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What portals are told with every answer to what they ask all the time: the least that holds for data. */
export const leanHeaders: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': dataPolicy,
};

/** The policy of scripts as files: one that runs as a worker asks this origin and loads its parts. */
export const filePolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The policy of the offline page, which runs nothing, asks nobody, and brings its style with it. */
export const offlinePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const lastsSeconds = 2 * 365 * 24 * 60 * 60;

const isEncrypted = () => env().APP_URL.startsWith('https:');

/** Where people come by https: browsers shall come back by nothing else, for two years. Nothing elsewhere. */
export function transportHeaders(): Record<string, string> {
  return isEncrypted() ? { 'Strict-Transport-Security': `max-age=${lastsSeconds}` } : {};
}

/** The headers of an answer that is data, or a refusal without a page. */
export function dataHeaders(): Record<string, string> {
  return { ...commonHeaders, ...transportHeaders(), 'Content-Security-Policy': dataPolicy };
}

/**
 * The Content-Security-Policy of one page: scripts that carry its nonce and what they load, style sheets of this origin and style
 * elements with the nonce, nothing of other hosts. Attributes may hold styles: the kit writes its measures there.
 */
export function pagePolicy(nonce: string): string {
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
    "frame-ancestors 'none'",
  ];
  return [...rules, ...(isEncrypted() ? ['upgrade-insecure-requests'] : [])].join('; ');
}
