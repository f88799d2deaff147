import { makeOpenApiDocument } from '#server/api/openapi.ts';
import { env } from '#server/env.ts';

export const dynamic = 'force-dynamic';

/** The contract of the public interface, generated from the router that serves it. */
export function GET(): Response {
  return Response.json(makeOpenApiDocument(env().APP_URL), { headers: { 'Cache-Control': 'public, max-age=300' } });
}
