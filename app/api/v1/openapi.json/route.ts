import { fromAnySite, routeOf } from '#server/api/document/document-route.ts';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';

export const dynamic = 'force-dynamic';

export const GET = routeOf(makeOpenApiDocument, fromAnySite);
