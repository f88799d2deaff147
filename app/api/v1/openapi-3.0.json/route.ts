import { fromAnySite, makeOpenApi30Document, routeOf } from '#server/api/document/openapi.ts';

export const dynamic = 'force-dynamic';

export const GET = routeOf(makeOpenApi30Document, fromAnySite);
