import Negotiator from 'negotiator';
import type { Language } from '#server/api/failures.ts';

/** The language that `Accept-Language` prefers (RFC 9110 §12.5.4). English by default. */
export function preferredLanguage(acceptLanguage: string | null): Language {
  if (!acceptLanguage) return 'en';
  const preferred = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language(['en', 'id']);
  return preferred === 'id' ? 'id' : 'en';
}

/** The language of a request: `?lang=id` or `?lang=en`, else by `preferredLanguage`. */
export function requestedLanguage({ url, headers }: Request): Language {
  const name = new URL(url).searchParams.get('lang');
  return name === 'id' || name === 'en' ? name : preferredLanguage(headers.get('accept-language'));
}

/** Whether a browser prefers English to Indonesian. Pages are in Indonesian by default. */
export function prefersEnglish(acceptLanguage: string | null): boolean {
  if (!acceptLanguage) return false;
  return new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language(['id', 'en']) === 'en';
}
