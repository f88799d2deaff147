import { routeOf } from '#server/api/document/openapi.ts';
import { makePostmanCollection } from '#server/api/document/postman.ts';

export const dynamic = 'force-dynamic';

/** The requests of the OpenAPI document as a Postman collection, to download and import. */
export const GET = routeOf(makePostmanCollection, {
  'Content-Disposition': 'attachment; filename="staff-notification.postman_collection.json"',
});
