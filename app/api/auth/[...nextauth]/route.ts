import NextAuth from 'next-auth';
import { isFromOwnPage } from '#server/accounts/same-origin.ts';
import { authOptions } from '#server/accounts/session.ts';
import { answerUnknown } from '#server/api/fetch-route.ts';

type RouteContext = { params: Promise<{ nextauth: string[] }> };

// The library reads a body of any size into memory.
const largestBodyBytes = 16 * 1024;

// The library has more addresses. None of the others is asked by our pages, and its own look at a session gives one that was ended
// a fresh cookie.
const used = new Set(['GET csrf', 'POST callback/credentials', 'POST signout']);

/** The sign-in library's own addresses; its settings are read at the first request, not at build time. */
async function handler(request: Request, context: RouteContext): Promise<Response> {
  const asked = `${request.method} ${(await context.params).nextauth.join('/')}`;
  if (!used.has(asked)) return answerUnknown(request);
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > largestBodyBytes || request.headers.has('transfer-encoding')) return new Response(null, { status: 413 });
  if (request.method !== 'GET' && !isFromOwnPage(senderOf(request))) return new Response(null, { status: 403 });
  return NextAuth(authOptions())(request, context);
}

const senderOf = ({ headers }: Request) => ({
  origin: headers.get('origin'),
  site: headers.get('sec-fetch-site'),
  host: headers.get('host'),
});

export { handler as GET, handler as POST };
