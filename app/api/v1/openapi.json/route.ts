import { env } from '#platform/config/settings.ts';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';
import { requestedLanguage } from '#server/api/language.ts';

export const dynamic = 'force-dynamic';

/** The OpenAPI document, in Indonesian by `?lang=id` or the caller's preference. */
export function GET(request: Request): Response {
  const language = requestedLanguage(request);
  return Response.json(makeOpenApiDocument(env().APP_URL, language), {
    headers: {
      'Cache-Control': 'public, max-age=300',
      'Content-Language': language,
      Vary: 'Accept-Language',
      // Editors on other sites load the document. It is public, and no other address allows this.
      'Access-Control-Allow-Origin': '*',
    },
  });
}
