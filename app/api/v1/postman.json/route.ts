import { env } from '#platform/config/settings.ts';
import { makePostmanCollection } from '#server/api/document/postman.ts';
import { requestedLanguage } from '#server/api/language.ts';

export const dynamic = 'force-dynamic';

/** The requests of the OpenAPI document as a Postman collection, to download and import. */
export function GET(request: Request): Response {
  const language = requestedLanguage(request);
  return Response.json(makePostmanCollection(env().APP_URL, language), {
    headers: {
      'Cache-Control': 'public, max-age=300',
      'Content-Language': language,
      Vary: 'Accept-Language',
      'Content-Disposition': 'attachment; filename="staff-notification.postman_collection.json"',
    },
  });
}
