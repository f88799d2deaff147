import { cookies, headers } from 'next/headers';
import { forbidden, redirect } from 'next/navigation';
import { cache } from 'react';
import type { z } from 'zod';
import { forwardedAddress } from '#platform/net/client-address.ts';
import {
  decodeSessionCookie,
  encodeSessionCookie,
  expiredSessionCookie,
  isFromOwnPage,
  sessionCookieName,
} from '#server/accounts/sessions/cookie.ts';
import { endSession, openSession, type SessionClient } from '#server/accounts/sessions/sessions.ts';
import { authenticateReader, authenticateSession, noteActivity } from '#server/accounts/sign-in/authenticate.ts';
import { askedProvider, rememberBrowser, rememberSignOut } from '#server/accounts/sign-in/cookies.ts';
import { recordDenial } from '#server/accounts/sign-in/denials.ts';
import { rememberEnded } from '#server/accounts/sign-in/provider-sessions.ts';
import { maxSignInBodyBytes } from '#server/accounts/sign-in/sign-in.ts';
import type { AuthenticatedAccount, Employee, Session } from '#server/principals.ts';

/** The session of the current request, or null. One database query per request. */
export const currentSession = cache(async (): Promise<Session | null> => {
  // Not the Cookie header: an action that replaced the session still has the old cookie there.
  const cookie = (await cookies()).get(sessionCookieName());
  return authenticateSession(cookie ? `${cookie.name}=${cookie.value}` : null);
});

/** The session of the current request, also of a bell in another site's page (`authenticateReader`). */
export const currentReader = cache(
  async () => (await currentSession()) ?? authenticateReader((await headers()).get('cookie')),
);

/** Whether the current request comes from a page of this service. Check it before every change. */
export async function isOwnRequest(): Promise<boolean> {
  const given = await headers();
  return isFromOwnPage({ origin: given.get('origin'), site: given.get('sec-fetch-site'), host: given.get('host') });
}

/** Whether a browser posted a form by itself, because it does not run the page's scripts. */
export const isForm = (request: Request): boolean =>
  request.headers.get('content-type')?.includes('application/x-www-form-urlencoded') ?? false;

/** The fields of a form or of JSON of an own page. Otherwise the answer: 413 (over 16 KiB, no length), 403 or 400. */
export async function readFields<Fields>(request: Request, schema: z.ZodType<Fields>): Promise<Fields | Response> {
  // `request.text()` reads a body of any size into memory.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > maxSignInBodyBytes || request.headers.has('transfer-encoding'))
    return new Response(null, { status: 413 });
  if (!(await isOwnRequest())) return new Response(null, { status: 403 });
  const fields = isForm(request)
    ? Object.fromEntries(new URLSearchParams(await request.text()))
    : await request.json().catch(() => null);
  return schema.safeParse(fields).data ?? new Response(null, { status: 400 });
}

export const currentAddress = async () => forwardedAddress((await headers()).get('x-forwarded-for'));

/**
 * The session of the current request. Otherwise redirects to the sign-in page. In the last quarter of the time in
 * which its provider must confirm it, a page that is opened asks the provider first.
 */
export async function requireSession(returnTo = '/'): Promise<Session> {
  const session = await currentSession();
  if (!session) redirect(`/login?returnTo=${encodeURIComponent(returnTo)}`);
  const requestHeaders = await headers();
  // Not by Sec-Fetch-Mode, which a service worker changes in Firefox. Links inside an open page accept everything.
  const isOpened = requestHeaders.get('accept')?.includes('text/html') && !requestHeaders.has('origin');
  if (session.asksProvider && isOpened && !(await askedProvider.read(requestHeaders.get('cookie'))))
    redirect(`/api/auth/renew?returnTo=${encodeURIComponent(returnTo)}`);
  await noteActivity([session]);
  return session;
}

type Rights = 'owner' | 'manager';

const requireRights =
  <Who extends Rights>(who: Who) =>
  async (returnTo = '/owner'): Promise<NonNullable<Session[Who]>> => {
    const session = await requireSession(returnTo);
    return session[who] ?? denyPage(session, returnTo);
  };

/** The signed-in owner. A manager gets 403; others go to the portal, to their second factor, or to sign in. */
export const requireOwner = requireRights('owner');

/** The signed-in owner or manager. Otherwise redirects as `requireOwner`. */
export const requireManager = requireRights('manager');

// Layouts and pages ask for one address together.
const denialOfRequest = cache(() => ({ isRecorded: false }));

function denyPage({ account, manager, needsSecondFactor }: Session, path: string): never {
  if (needsSecondFactor) redirect(`/login/second-factor?returnTo=${encodeURIComponent(path)}`);
  const denial = denialOfRequest();
  if (!denial.isRecorded) recordDenial(account, path, 'no-rights');
  denial.isRecorded = true;
  return manager ? forbidden() : redirect('/portal');
}

const rightsOf =
  <Who extends Rights>(who: Who) =>
  (session: Session | null, path: string): Session[Who] | null => {
    if (session && !session[who]) recordDenial(session.account, path, 'no-rights');
    return session?.[who] ?? null;
  };

/** The owner of a session, or null. Records that a person who is none asked for the route `path`. */
export const ownerOf = rightsOf('owner');

/** The owner or manager of a session, or null; records denials as `ownerOf`. */
export const managerOf = rightsOf('manager');

/** The signed-in employee. Otherwise redirects: an owner to their area, others to sign in. */
export async function requireEmployee(returnTo = '/portal'): Promise<Employee> {
  const { employee } = await requireSession(returnTo);
  return employee ?? redirect('/owner');
}

export async function readClient(): Promise<SessionClient> {
  return { address: await currentAddress(), client: (await headers()).get('user-agent') ?? '' };
}

/** Opens a session for the browser of the request, and ends the one it had. Call it where cookies can be set. */
export async function startSession(account: AuthenticatedAccount): Promise<void> {
  const jar = await cookies();
  const cookieHeader = (await headers()).get('cookie');
  await endSessionOfCookie(cookieHeader);
  jar.set(await rememberBrowser(cookieHeader, account));
  const sessionId = await openSession(account, await readClient());
  const { companyId, accountId, sessionVersion } = account;
  jar.set(await encodeSessionCookie({ companyId, accountId, sessionVersion, sessionId }));
}

/** Ends the session of the browser, which then remembers that somebody signed out (`rememberSignOut`). */
export async function endCurrentSession(): Promise<void> {
  const session = await currentSession();
  const jar = await cookies();
  await endSessionOfCookie((await headers()).get('cookie'));
  jar.set(expiredSessionCookie());
  jar.set(rememberSignOut(session?.issuer ?? null));
}

async function endSessionOfCookie(cookieHeader: string | null): Promise<void> {
  const claims = await decodeSessionCookie(cookieHeader);
  const ended = claims && (await endSession(claims, claims.sessionId));
  if (ended) await rememberEnded(ended);
}
