import { endCurrentSession, isOwnRequest } from '#server/accounts/sign-in/require.ts';

/** Ends the session of the browser that asks, and removes its cookie. */
export async function POST(): Promise<Response> {
  if (!(await isOwnRequest())) return new Response(null, { status: 403 });
  await endCurrentSession();
  return new Response(null, { status: 204 });
}
