import { endCurrentSession, isForm, isOwnRequest } from '#server/accounts/sign-in/require.ts';

/** Ends the session of the browser and removes its cookie. A form is redirected to the sign-in page. */
export async function POST(request: Request): Promise<Response> {
  if (!(await isOwnRequest())) return new Response(null, { status: 403 });
  await endCurrentSession();
  return isForm(request)
    ? new Response(null, { status: 303, headers: { Location: '/login' } })
    : new Response(null, { status: 204 });
}
