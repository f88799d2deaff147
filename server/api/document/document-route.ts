import { env } from '#platform/config/settings.ts';
import { chooseEncoding, type EncodedText, encodeText } from '#platform/net/encodings.ts';
import type { Language } from '#server/api/failures.ts';
import { requestedLanguage } from '#server/api/language.ts';

/**
 * Makes the route of a document, in Indonesian by `?lang=id` or the caller's preference. `make` takes
 * the origin of the service; `headers` are added. A document is made and compressed once, because
 * that takes 50 ms.
 */
export function routeOf(make: (baseUrl: string, language: Language) => object, headers: Record<string, string>) {
  const kept = new Map<Language, Promise<EncodedText>>();
  return async (request: Request): Promise<Response> => {
    const language = requestedLanguage(request);
    const text = kept.get(language) ?? encodeText(Buffer.from(JSON.stringify(make(env().APP_URL, language))));
    kept.set(language, text);
    const encoded = chooseEncoding(await text, request.headers.get('accept-encoding') ?? undefined);
    return new Response(new Uint8Array(encoded.body), {
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'public, max-age=300',
        'Content-Language': language,
        Vary: 'Accept-Language, Accept-Encoding',
        ...headers,
        ...encoded.headers,
      },
    });
  };
}

/** Lets editors on other sites load a document. It is public, and no other address allows this. */
export const fromAnySite = { 'Access-Control-Allow-Origin': '*' };
