import type { Language } from '#server/api/failures.ts';
import { preferredLanguage } from '#server/api/language.ts';

/** The language of a request: `?lang=`, else by `Accept-Language`. */
export function languageOf(request: Request): Language {
  const asked = new URL(request.url).searchParams.get('lang');
  return asked === 'id' || asked === 'en' ? asked : preferredLanguage(request.headers.get('accept-language'));
}

/** A text as a response. A 200 may be cached for five minutes, separately for each language. */
export function textResponse(text: string, type: string, status = 200): Response {
  return new Response(text, {
    status,
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': status === 200 ? 'public, max-age=300' : 'no-store',
      Vary: 'Accept-Language',
    },
  });
}
