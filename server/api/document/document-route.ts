import { env } from '#platform/config/settings.ts';
import type { Language } from '#platform/language.ts';
import { requestedLanguage } from '#platform/net/choose-language.ts';

/** The route of a document, made once for each language: it takes 60 ms. */
export function routeOf(make: (baseUrl: string, language: Language) => object, headers: Record<string, string>) {
  const texts = new Map<Language, string>();
  return (request: Request): Response => {
    const language = requestedLanguage(request);
    const text = texts.get(language) ?? JSON.stringify(make(env().APP_URL, language));
    texts.set(language, text);
    return new Response(text, {
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'public, max-age=300',
        'Content-Language': language,
        Vary: 'Accept-Language',
        ...headers,
      },
    });
  };
}

/** Lets editors on other sites load a document. It is public, and no other address allows this. */
export const fromAnySite = { 'Access-Control-Allow-Origin': '*' };
