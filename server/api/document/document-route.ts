import { env } from '#platform/config/settings.ts';
import type { Language } from '#server/api/failures.ts';
import { requestedLanguage } from '#server/api/language.ts';

/**
 * Makes the route of a document, in Indonesian by `?lang=id` or the caller's preference. `make` takes
 * the origin of the service; `headers` are added.
 */
export const routeOf =
  (make: (baseUrl: string, language: Language) => object, headers: Record<string, string>) =>
  (request: Request): Response => {
    const language = requestedLanguage(request);
    return Response.json(make(env().APP_URL, language), {
      headers: {
        'Cache-Control': 'public, max-age=300',
        'Content-Language': language,
        Vary: 'Accept-Language',
        ...headers,
      },
    });
  };

/** Lets editors on other sites load a document. It is public, and no other address allows this. */
export const fromAnySite = { 'Access-Control-Allow-Origin': '*' };
