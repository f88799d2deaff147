import { fromAnySite, routeOf } from '#server/api/document/document-route.ts';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';

export const dynamic = 'force-dynamic';

/** The OpenAPI document. */
export const GET = routeOf(makeOpenApiDocument, fromAnySite);
