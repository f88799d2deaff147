import { env } from '#server/env.ts';

/** What a browser says of the page that a request comes from: `Origin`, `Sec-Fetch-Site`; and whom it is asking: `Host`. */
type Sender = { origin?: string | null; site?: string | null; host?: string | null };

/**
 * Whether a request that changes something comes from a page of ours: the browser says so, by either header and against neither. One
 * that says nothing of it does not, nor does `Origin: null`. Ours is the deployment's address, and whatever other one it was asked by.
 */
export function isFromOwnPage({ origin, site, host }: Sender): boolean {
  if (site && site !== 'same-origin') return false;
  if (!origin) return site === 'same-origin';
  if (!URL.canParse(origin)) return false;
  const [from, own] = [new URL(origin), new URL(env().APP_URL)];
  if (from.origin === own.origin) return true;
  // Otherwise what was opened without encryption could speak for the address that has it.
  return from.host === host && (from.protocol === own.protocol || own.protocol === 'http:');
}
