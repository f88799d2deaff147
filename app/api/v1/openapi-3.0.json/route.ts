import { fromAnySite, routeOf } from '#server/api/document/document-route.ts';
import { makeOpenApi30Document } from '#server/api/document/openapi.ts';

export const dynamic = 'force-dynamic';

export const GET = routeOf(makeOpenApi30Document, fromAnySite);
