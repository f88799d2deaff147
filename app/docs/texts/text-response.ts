import type { Language } from '#server/api/failures.ts';
import { preferredLanguage } from '#server/api/language.ts';

/** The language a program asks for: `?lang=`, else as the interface decides, by `Accept-Language`. */
export function languageOf(request: Request): Language {
  const asked = new URL(request.url).searchParams.get('lang');
  return asked === 'id' || asked === 'en' ? asked : preferredLanguage(request.headers.get('accept-language'));
}

/** An answer that is a text, to be kept for five minutes; what has another language is another answer. */
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
