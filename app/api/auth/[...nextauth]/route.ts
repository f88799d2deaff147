import NextAuth from 'next-auth';
import { authOptions } from '#server/session.ts';

type RouteContext = { params: Promise<{ nextauth: string[] }> };

/** The sign-in library's own addresses; its settings are read at the first request, not at build time. */
function handler(request: Request, context: RouteContext): Promise<Response> {
  return NextAuth(authOptions())(request, context);
}

export { handler as GET, handler as POST };
