import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { forwardedAddress } from '#platform/net/client-address.ts';
import { expiredSessionCookie, isFromOwnPage, sessionCookieName } from '#server/accounts/sessions/cookie.ts';
import { authenticateSession, endSessionOfCookie, openSessionCookie } from '#server/accounts/sign-in/authenticate.ts';
import { rememberBrowser } from '#server/accounts/sign-in/known-browser.ts';
import type { AuthenticatedAccount } from '#server/accounts/sign-in/sign-in.ts';
import type { Employee, Manager, Owner, Session } from '#server/principals.ts';

/** The session of the current request, or null. One database query per request. */
export const currentSession = cache(async (): Promise<Session | null> => {
  // Not the Cookie header: an action that replaced the session still has the old cookie there.
  const cookie = (await cookies()).get(sessionCookieName());
  return authenticateSession(cookie ? `${cookie.name}=${cookie.value}` : null);
});

/** Whether the current request comes from a page of this service. Check it before every change. */
export async function isOwnRequest(): Promise<boolean> {
  const requestHeaders = await headers();
  return isFromOwnPage({
    origin: requestHeaders.get('origin'),
    site: requestHeaders.get('sec-fetch-site'),
    host: requestHeaders.get('host'),
  });
}

/** The client's address of the current request, for the limit on failed sign-ins. */
export async function currentAddress(): Promise<string> {
  return forwardedAddress((await headers()).get('x-forwarded-for'));
}

/** The session of the current request. Otherwise redirects to the sign-in page. */
export async function requireSession(returnTo = '/'): Promise<Session> {
  const session = await currentSession();
  return session ?? redirect(`/login?returnTo=${encodeURIComponent(returnTo)}`);
}

/**
 * The signed-in owner. Otherwise redirects: a manager to the home page, an employee to the portal,
 * others to sign in.
 */
export async function requireOwner(returnTo = '/owner'): Promise<Owner> {
  const { owner, manager } = await requireSession(returnTo);
  return owner ?? redirect(manager ? '/owner' : '/portal');
}

/** The signed-in owner or manager. Otherwise redirects as `requireOwner`. */
export async function requireManager(returnTo = '/owner'): Promise<Manager> {
  const { manager } = await requireSession(returnTo);
  return manager ?? redirect('/portal');
}

/** The signed-in employee. Otherwise redirects: an owner to their area, others to sign in. */
export async function requireEmployee(returnTo = '/portal'): Promise<Employee> {
  const { employee } = await requireSession(returnTo);
  return employee ?? redirect('/owner');
}

/**
 * Opens a session for the browser of the current request and sets its cookie; a session that the
 * browser had before ends. The account knows the browser from now on. Call it from a server action
 * or a route handler, where cookies can be set.
 */
export async function startSession(account: AuthenticatedAccount): Promise<void> {
  const requestHeaders = await headers();
  await endSessionOfCookie(requestHeaders.get('cookie'));
  const client = { address: await currentAddress(), client: requestHeaders.get('user-agent') ?? '' };
  const store = await cookies();
  store.set(rememberBrowser(requestHeaders.get('cookie'), account));
  store.set(await openSessionCookie(account, client));
}

/** Ends the session of the current request and removes its cookie. */
export async function endCurrentSession(): Promise<void> {
  await endSessionOfCookie((await headers()).get('cookie'));
  (await cookies()).set(expiredSessionCookie());
}
