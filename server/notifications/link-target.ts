import { parseAddress } from '#server/notifications/field-rules.ts';

const ownPages = /^\/(?:portal|owner|docs)(?:\/|$)/;

/**
 * Where an internal path leads. Pages of this service stay here; all others are below `linkBase`, the address of the
 * company's own portal, which dots never leave. Without it they lead nowhere: null.
 */
export function findLinkTarget(path: string, linkBase: string | null): { href: string; host: string | null } | null {
  const { pathname, search, hash } = new URL(path, 'https://portal.invalid');
  const rest = pathname + search + hash;
  if (ownPages.test(pathname)) return { href: rest, host: null };
  return linkBase === null ? null : { href: linkBase + rest, host: new URL(linkBase).host };
}

export type LinkBaseProblem = 'not-an-address' | 'not-https' | 'has-more' | 'odd-host';

/**
 * The address of a company's own portal, as it is stored: https, a host, perhaps a port and a path, no slash at the
 * end. It goes into a header, so other characters of a host than letters, digits, dots and hyphens are refused.
 * `mayBeLoopback`: also http on this machine, for a trial.
 */
export function readLinkBase(text: string, mayBeLoopback: boolean): { linkBase: string } | LinkBaseProblem {
  const url = parseAddress(text.trim());
  if (!url) return 'not-an-address';
  const isLoopback = url.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(mayBeLoopback && isLoopback)) return 'not-https';
  if (url.username || url.password || /[?#\\]/.test(text)) return 'has-more';
  if (!isLoopback && !/^[a-z\d-]+(?:\.[a-z\d-]+)*$/.test(url.hostname)) return 'odd-host';
  return { linkBase: url.origin + url.pathname.replace(/\/+$/, '') };
}
