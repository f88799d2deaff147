import NextAuth from 'next-auth';
import { maxSignInBodyBytes } from '#server/accounts/limits.ts';
import { authOptions } from '#server/accounts/next-auth.ts';
import { isOwnRequest } from '#server/accounts/require.ts';
import { answerUnknown } from '#server/api/fetch-route.ts';

type RouteContext = { params: Promise<{ nextauth: string[] }> };

// Its other addresses stay closed: `session` would give a fresh cookie for a session that ended.
const open = new Set(['GET csrf', 'POST callback/credentials', 'POST signout']);

/** Answers next-auth's addresses for signing in and out. Its settings are read per request. */
async function handle(request: Request, context: RouteContext): Promise<Response> {
  const address = `${request.method} ${(await context.params).nextauth.join('/')}`;
  if (!open.has(address)) return answerUnknown(request);
  // next-auth reads a body of any size into memory.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > maxSignInBodyBytes || request.headers.has('transfer-encoding'))
    return new Response(null, { status: 413 });
  if (request.method !== 'GET' && !(await isOwnRequest())) return new Response(null, { status: 403 });
  return NextAuth(authOptions())(request, context);
}

export { handle as GET, handle as POST };
