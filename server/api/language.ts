import Negotiator from 'negotiator';
import type { Language } from '#server/api/failures.ts';

/** The language that `Accept-Language` prefers (RFC 9110 §12.5.4). English by default. */
export function preferredLanguage(acceptLanguage: string | null): Language {
  if (!acceptLanguage) return 'en';
  const preferred = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language(['en', 'id']);
  return preferred === 'id' ? 'id' : 'en';
}

/** The language of this name, `id` or `en`. For any other name, the one of `preferredLanguage`. */
export function requestedLanguage(name: string | null, acceptLanguage: string | null): Language {
  return name === 'id' || name === 'en' ? name : preferredLanguage(acceptLanguage);
}

/** Whether a browser prefers English to Indonesian. Pages are in Indonesian by default. */
export function prefersEnglish(acceptLanguage: string | null): boolean {
  if (!acceptLanguage) return false;
  return new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language(['id', 'en']) === 'en';
}
