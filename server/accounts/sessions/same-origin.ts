import { env } from '#platform/config/settings.ts';

/** Where a request comes from: the headers `Origin`, `Sec-Fetch-Site` and `Host`. */
export type RequestOrigin = { origin?: string | null; site?: string | null; host?: string | null };

/**
 * Whether a request that changes something comes from a page of this service. `Origin` or
 * `Sec-Fetch-Site` must say so, and neither may say otherwise; a request with neither header, or
 * with `Origin: null`, does not pass. The service's own origins are APP_URL and the requested
 * `Host`.
 */
export function isFromOwnPage({ origin, site, host }: RequestOrigin): boolean {
  if (site && site !== 'same-origin') return false;
  if (!origin) return site === 'same-origin';
  if (!URL.canParse(origin)) return false;
  const [from, own] = [new URL(origin), new URL(env().APP_URL)];
  if (from.origin === own.origin) return true;
  // With APP_URL on https, a page that was loaded over http must not act for it.
  return from.host === host && (from.protocol === own.protocol || own.protocol === 'http:');
}
