import { fromAnySite, makeOpenApiDocument, routeOf } from '#server/api/document/openapi.ts';

export const dynamic = 'force-dynamic';

export const GET = routeOf(makeOpenApiDocument, fromAnySite);
