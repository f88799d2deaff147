import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { hasPlainArguments } from '#platform/config/next-internals.ts';
import { env } from '#platform/config/settings.ts';
import { isLanguage } from '#platform/language.ts';
import { isForOtherHost } from '#platform/net/client-address.ts';
import { bellHeaders, bellWindowHeaders, pagePolicy, transportHeaders } from '#platform/net/http-headers.ts';
import { authenticateReader } from '#server/accounts/sign-in/authenticate.ts';
import { mayEmbed } from '#server/companies/link-base.ts';
import { refuseHead } from '#server/front/page-body.ts';

/**
 * Gives every page a Content-Security-Policy with a new nonce, and refuses other hosts, bodies that no page takes, and
 * arguments of actions that no page of ours sends. It decides nothing about access: pages and actions do that. Next
 * reads the nonce from the request's policy header, the layout from `x-nonce`; pages read the language that the
 * address names from `x-language`.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname, searchParams } = request.nextUrl;
  // The front has judged already; under `next start` nobody has. There the platform's proxy names the host.
  if (isForOtherHost(request.headers.get('host'), true)) return new NextResponse(`${env().APP_URL}\n`, { status: 421 });
  const refusal = refuseHead({ method: request.method, headers: Object.fromEntries(request.headers) }, pathname);
  if (refusal) return new NextResponse(null, refusal);
  if (request.headers.has('next-action') && !hasPlainArguments(await request.text()))
    return new NextResponse(null, { status: 400 });
  const nonce = randomBytes(16).toString('base64');
  const ancestors = pathname === '/embed' ? await findAncestors(request) : undefined;
  const policy = pagePolicy(nonce, ancestors);
  const headers = new Headers(request.headers);
  headers.set('Content-Security-Policy', policy);
  headers.set('x-nonce', nonce);
  const language = searchParams.get('lang');
  headers.set('x-language', isLanguage(language) ? language : '');
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  const ofWindow = pathname === '/embed/sign-in' && bellWindowHeaders;
  const others = { ...transportHeaders(), ...(ancestors && bellHeaders), ...ofWindow };
  for (const [name, value] of Object.entries(others)) response.headers.set(name, value);
  return response;
}

// The page that asks for the bell may show it if the company of the signed-in person lists it; before
// the sign-in, if any company does. A page of this service always may (`app/browser-files/bell-example.html`).
async function findAncestors({ headers, nextUrl }: NextRequest): Promise<string | undefined> {
  const origin = nextUrl.searchParams.get('origin') ?? '';
  if (origin === new URL(env().APP_URL).origin) return "'self'";
  const isListed = await authenticateReader(headers.get('cookie')).then((session) => mayEmbed(session, origin));
  return isListed ? origin : undefined;
}

// All actions, and all addresses but files and those that answer with data, whose headers next.config.ts sets. Next
// reads the text as it stands here; e2e/structure/proxy.test.ts builds it from the routes.
export const config = {
  matcher: [
    { source: '/(.*)', has: [{ type: 'header', key: 'next-action' }] },
    '/((?!_next/|[^/]+\\.(?:css|html|ico|js|mjs|png|svg|txt|webmanifest)$|docs/.*\\.md$|api/.+$|browser-files/[^/]+$|company-logo/[^/]+$|docs/markdown/.+$|docs/recipes/code/[^/]+$|health/live$|health/ready$|invite/[^/]+/logo$|join/[^/]+/logo$|join/wait/[^/]+/state$|owner/alarms$|owner/audit/csv$|owner/employees/csv$|owner/employees/import/previews$|owner/keys/[^/]+/watch$|owner/progress$|owner/sends/[^/]+/csv$|owner/sends/[^/]+/outcome$|owner/sends/csv$|owner/sends/held$|owner/settings/export/[^/]+/file$|owner/settings/logo$|owner/statistics/csv$|picture/[^/]+$|portal/feed$|portal/inbox$).*)',
  ],
};
