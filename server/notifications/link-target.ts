import { parseAddress } from '#server/notifications/field-rules.ts';

/** Where a link of a notification leads: a page of this service (`host` is null), or of the company's portal. */
export type LinkTarget = { href: string; host: string | null };

const ownPages = /^\/(?:portal|owner|docs)(?:\/|$)/;

/**
 * Where an internal path leads. Pages of this service stay here. All other paths belong to the
 * company's own portal, below its address `linkBase`; without one they lead nowhere: null. Dots in
 * a path never leave the prefix of `linkBase`.
 */
export function findLinkTarget(path: string, linkBase: string | null): LinkTarget | null {
  const { pathname, search, hash } = new URL(path, 'https://portal.invalid');
  const rest = pathname + search + hash;
  if (ownPages.test(pathname)) return { href: rest, host: null };
  return linkBase === null ? null : { href: linkBase + rest, host: new URL(linkBase).host };
}

export type LinkBaseProblem = 'not-an-address' | 'not-https' | 'has-more' | 'odd-host';

/**
 * The address of a company's own portal, as it is stored: https, a host, perhaps a port and a path,
 * without a slash at the end. A user name, a query or a fragment is refused, and a host with other
 * characters than letters, digits, dots and hyphens: it goes into a header. `mayBeLoopback`: also http
 * on this machine, for a trial.
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
