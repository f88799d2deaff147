import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { pagePolicy, transportHeaders } from '#server/http-headers.ts';

/**
 * Gives every page its Content-Security-Policy, with a nonce of its own, and nothing else: who may see what is decided where it is
 * read. Next takes the nonce from the request's header of that name, the layout from `x-nonce`.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = randomBytes(16).toString('base64');
  const policy = pagePolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set('Content-Security-Policy', policy);
  headers.set('x-nonce', nonce);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  for (const [name, value] of Object.entries(transportHeaders())) response.headers.set(name, value);
  return response;
}

// Everything but the files and the addresses that answer with data: those have what next.config.ts says of all answers.
export const config = {
  matcher: [
    '/((?!_next/|api/|health/|docs/markdown/|docs/recipes/code/|owner/alarms$|owner/progress$|owner/keys/[^/]+/watch$|owner/settings/export/[^/]+/(?:file|state)$|owner/(?:.*/)?csv$|portal/(?:feed|stream|inbox|inbox/unread)$|[^/]+\\.(?:css|html|ico|js|mjs|png|svg|txt|webmanifest)$|docs/.*\\.md$).*)',
  ],
};
