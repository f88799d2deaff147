import { cookies } from 'next/headers';
import { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { hostCookieName } from '#server/accounts/sessions/cookie.ts';
import { maxSignInBodyBytes } from '#server/accounts/sign-in/attempts.ts';
import { authOptions } from '#server/accounts/sign-in/next-auth.ts';
import { isOwnRequest } from '#server/accounts/sign-in/require.ts';
import { answerUnknown } from '#server/api/fetch-route.ts';

type RouteContext = { params: Promise<{ nextauth: string[] }> };

// Its other addresses stay closed: `session` would give a fresh cookie for a session that ended.
const open = new Set(['GET csrf', 'POST callback/credentials', 'POST signout']);

/** Answers next-auth's addresses for signing in and out. Its settings are read per request. */
async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  const address = `${request.method} ${(await context.params).nextauth.join('/')}`;
  if (!open.has(address)) return answerUnknown(request);
  // next-auth reads a body of any size into memory.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > maxSignInBodyBytes || request.headers.has('transfer-encoding'))
    return new Response(null, { status: 413 });
  if (request.method !== 'GET' && !(await isOwnRequest())) return new Response(null, { status: 403 });
  const body = request.method === 'GET' ? undefined : await request.text();
  const fields = readFields(request.headers.get('content-type') ?? '', body ?? '');
  const callbackUrls = [...request.nextUrl.searchParams.getAll('callbackUrl'), fields?.callbackUrl ?? ''];
  if (!fields || !callbackUrls.every(isCallbackUrl)) return new Response(null, { status: 400 });
  const jar = await cookies();
  const cookie = jar.get(hostCookieName('next-auth.callback-url'));
  if (cookie && !isCallbackUrl(cookie.value)) jar.delete(cookie.name);
  const { method, headers } = request;
  return NextAuth(authOptions())(new NextRequest(request.url, { method, headers, body }), context);
}

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
