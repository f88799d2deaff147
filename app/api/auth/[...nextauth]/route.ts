import { cookies } from 'next/headers';
import { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { beginRoundTrip, completeRoundTrip } from '#app/api/auth/[...nextauth]/provider.ts';
import { cookieOptions, hostCookieName, readCookie } from '#server/accounts/sessions/cookie.ts';
import { maxSignInBodyBytes } from '#server/accounts/sign-in/attempts.ts';
import { findProvider, type Identity } from '#server/accounts/sign-in/identities.ts';
import { authOptions, type Refusal } from '#server/accounts/sign-in/next-auth.ts';
import { isOwnRequest } from '#server/accounts/sign-in/require.ts';
import { answerUnknown } from '#server/api/fetch-route.ts';
import { isInternalPath } from '#server/notifications/field-rules.ts';

type RouteContext = { params: Promise<{ nextauth: string[] }> };

// Its other addresses stay closed: `session` would give a fresh cookie for a session that ended.
const open = new Set(['GET csrf', 'POST callback/credentials', 'POST callback/passkey', 'POST signout']);

/**
 * Signs in with `{ username, password, proof?, callbackUrl? }` or with a passkey's `{ answer }`, and
 * out, at next-auth's addresses. A
 * browser that does not run the page's scripts posts a form and is redirected: to `callbackUrl`, or
 * back to the sign-in page, which shows the problem. Otherwise the answer is next-auth's JSON with
 * status 200, 401, 403, 429 or 503, `Retry-After`, and the fields of `SlowedDown` or `Busy`. With a
 * provider of OpenID Connect, `POST signin/<id>` leads there and `GET callback/<id>` back.
 */
async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  const { nextauth } = await context.params;
  const [action, id = ''] = nextauth;
  const provider = nextauth.length === 2 ? findProvider(id) : undefined;
  if (provider && request.method === 'GET' && action === 'callback')
    return completeRoundTrip(request, provider, () => identify(request, context));
  const isToProvider = provider !== undefined && request.method === 'POST' && action === 'signin';
  if (!isToProvider && !open.has(`${request.method} ${nextauth.join('/')}`)) return answerUnknown(request);
  // `request.text()` reads a body of any size into memory.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > maxSignInBodyBytes || request.headers.has('transfer-encoding'))
    return new Response(null, { status: 413 });
  if (request.method !== 'GET' && !(await isOwnRequest())) return new Response(null, { status: 403 });
  const type = request.headers.get('content-type') ?? '';
  const fields = request.method === 'GET' ? {} : readFields(type, await request.text());
  const callbackUrls = [...request.nextUrl.searchParams.getAll('callbackUrl'), fields?.callbackUrl ?? ''];
  if (!fields || !callbackUrls.every(isCallbackUrl)) return new Response(null, { status: 400 });
  const jar = await cookies();
  const cookie = jar.get(hostCookieName('next-auth.callback-url'));
  if (cookie && !isCallbackUrl(cookie.value)) jar.delete(cookie.name);

  let refusal: Refusal | undefined;
  const auth: (asked: NextRequest, addressed: RouteContext) => Promise<Response> = NextAuth(
    authOptions((reason) => {
      refusal = reason;
    }),
  );
  const ask = (init: ConstructorParameters<typeof NextRequest>[1], ...action: string[]) =>
    auth(new NextRequest(request.url, init), { params: Promise.resolve({ nextauth: action }) });
  const issued = await ask({}, 'csrf');
  if (request.method === 'GET') return issued;
  // The origin was checked above, so that a form needs no token of next-auth's.
  const name = hostCookieName('next-auth.csrf-token');
  const token = readCookie(issued.headers.getSetCookie().join(';'), name);
  if (token) jar.set({ name, value: token, ...cookieOptions() });
  const body = JSON.stringify({ ...fields, ...(await issued.json()), json: 'true' });
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  if (isToProvider)
    return beginRoundTrip(provider, fields, (query) =>
      auth(new NextRequest(request.nextUrl.origin + request.nextUrl.pathname + query, init), context),
    );
  const answer = await ask(init, ...nextauth);
  const isForm = type.includes('application/x-www-form-urlencoded') && fields.json !== 'true';
  return isForm ? redirect(answer.headers, refusal, fields.callbackUrl) : answerJson(answer, refusal);
}

// Who the provider says the person is, or null when next-auth refuses it.
async function identify(request: NextRequest, context: RouteContext): Promise<Identity | null> {
  let identity: Identity | null = null;
  await NextAuth(
    authOptions(
      () => {},
      (identified) => {
        identity = identified;
      },
    ),
  )(request, context);
  return identity;
}

// The address never contains what was typed.
function redirect(headers: Headers, refusal: Refusal | undefined, callbackUrl = '/'): Response {
  const target = isInternalPath(callbackUrl) ? callbackUrl : '/';
  const problem = typeof refusal === 'object' ? String(secondsOf(refusal)) : (refusal ?? '');
  headers.set('Location', refusal ? `/login?${new URLSearchParams({ problem, returnTo: target })}` : target);
  headers.delete('Content-Type');
  return new Response(null, { status: 303, headers });
}

async function answerJson(answer: Response, refusal: Refusal | undefined): Promise<Response> {
  if (refusal === 'provider-only') return new Response(null, { status: 403 });
  if (typeof refusal !== 'object') return answer;
  answer.headers.set('Retry-After', String(secondsOf(refusal)));
  const status = 'waitSeconds' in refusal ? 429 : 503;
  return Response.json({ ...(await answer.json()), ...refusal }, { status, headers: answer.headers });
}

const secondsOf = (refusal: Exclude<Refusal, string>) =>
  'waitSeconds' in refusal ? refusal.waitSeconds : refusal.busySeconds;

// The fields of a body in the two forms that next-auth reads, or null. A field that is no text, or
// JSON that is no object, would be an exception there.
function readFields(type: string, body: string): Record<string, string> | null {
  if (!type.includes('application/json')) return Object.fromEntries(new URLSearchParams(body));
  try {
    const given: unknown = JSON.parse(body);
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
    return Object.values(given).every((value) => typeof value === 'string') ? (given as Record<string, string>) : null;
  } catch {
    return null;
  }
}

// next-auth would answer 500 to an address that it cannot parse, also in its cookie.
function isCallbackUrl(given: string): boolean {
  if (given === '' || given.startsWith('/')) return URL.canParse(given, 'http://x');
  return URL.canParse(given) && /^https?:$/.test(new URL(given).protocol);
}

export { handle as GET, handle as POST };
