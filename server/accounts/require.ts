import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import type { SignIn } from '#server/accounts/accounts.ts';
import { clientAddress } from '#server/accounts/client-address.ts';
import { isFromOwnPage } from '#server/accounts/same-origin.ts';
import { authenticateSession, endSessionOf, makeSessionCookie, sessionCookieName } from '#server/accounts/session.ts';
import type { Device } from '#server/accounts/sessions.ts';
import type { Employee, Owner, Session } from '#server/principals.ts';

/** The session of the request at hand, or null; asked of the database once per request. */
export const currentSession = cache(async (): Promise<Session | null> => {
  // Not the header: within an action that renewed the session it still holds the old cookie.
  const cookie = (await cookies()).get(sessionCookieName());
  return authenticateSession(cookie ? `${cookie.name}=${cookie.value}` : null);
});

/** Whether the request at hand comes from a page of ours; asked before anything is changed for a browser. */
export async function isOwnRequest(): Promise<boolean> {
  const given = await headers();
  return isFromOwnPage({ origin: given.get('origin'), site: given.get('sec-fetch-site'), host: given.get('host') });
}

/** The address of the client at hand, for slowing down guesses. */
export async function currentAddress(): Promise<string> {
  return clientAddress((await headers()).get('x-forwarded-for'));
}

/** The browser at hand, as its session will be listed. */
async function currentDevice(): Promise<Device> {
  return { address: await currentAddress(), client: (await headers()).get('user-agent') ?? '' };
}

/** Who is signed in, or a redirect to the sign-in page that leads back to `returnTo`. */
export async function requireSession(returnTo = '/'): Promise<Session> {
  const session = await currentSession();
  return session ?? redirect(`/login?returnTo=${encodeURIComponent(returnTo)}`);
}

/** The signed-in owner. Everybody else is redirected: strangers to the sign-in page, employees to their portal. */
export async function requireOwner(returnTo = '/owner'): Promise<Owner> {
  const { owner } = await requireSession(returnTo);
  return owner ?? redirect('/portal');
}

/** The signed-in active employee. Strangers are redirected to the sign-in page, owners without a portal to their area. */
export async function requireEmployee(returnTo = '/portal'): Promise<Employee> {
  const { employee } = await requireSession(returnTo);
  return employee ?? redirect('/owner');
}

/** Signs the person at hand in (only from a server action or route handler, where cookies can be set). */
export async function startSession(claims: SignIn): Promise<void> {
  await endSessionOf((await headers()).get('cookie'));
  (await cookies()).set(await makeSessionCookie(claims, await currentDevice()));
}
