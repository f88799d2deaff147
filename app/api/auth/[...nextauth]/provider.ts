import { setTimeout as sleep } from 'node:timers/promises';
import { cookies } from 'next/headers';
import type { NextRequest } from 'next/server';
import { addressGroup } from '#platform/config/ip-address.ts';
import type { OidcProvider } from '#platform/config/oidc-providers.ts';
import { logRepeats } from '#platform/log/log.ts';
import { acceptOwnerLink, findOwnerLink } from '#server/accounts/owners/owner-links.ts';
import {
  authenticateIdentity,
  type Identity,
  linkIdentity,
  reauthenticateWithIdentity,
} from '#server/accounts/sign-in/identities.ts';
import { countUse } from '#server/accounts/sign-in/limits.ts';
import { findOnlyIssuer } from '#server/accounts/sign-in/only-provider.ts';
import { currentAddress, currentSession, startSession } from '#server/accounts/sign-in/require.ts';
import {
  asPurpose,
  endedRoundTrip,
  keepRoundTrip,
  type RoundTrip,
  readRoundTrip,
} from '#server/accounts/sign-in/round-trip.ts';
import { acceptInvitation } from '#server/employees/invitations.ts';
import { changePreferences } from '#server/inbox/preferences.ts';
import { isInternalPath } from '#server/notifications/field-rules.ts';
import { RightsEnded, type Session } from '#server/principals.ts';

// A provider that sends its answer byte by byte never reaches next-auth's limit of 3.5 s.
const longestMs = 10_000;

/**
 * Sends the browser to a provider: `ask` lets next-auth make the address, for the query that it gets.
 * `fields` are those of the form: `purpose`, `callbackUrl`, and the `token` of an invitation. To connect
 * an identity the session must be re-authenticated.
 */
export async function beginRoundTrip(
  provider: OidcProvider,
  fields: Record<string, string>,
  ask: (query: string) => Promise<Response>,
): Promise<Response> {
  const session = await currentSession();
  const { callbackUrl = '/', token = '' } = fields;
  const purpose = asPurpose(fields.purpose);
  const returnTo = isInternalPath(callbackUrl) ? callbackUrl : '/';
  const trip = { purpose, provider: provider.id, returnTo, sessionId: session?.sessionId ?? null, token };
  if (purpose === 'link' && session?.reauthenticated === false) return redirect(pageOf(trip, session, 'old-session'));
  const waitSeconds = await countRoundTrip();
  if (waitSeconds > 0) return redirect(pageOf(trip, session, String(waitSeconds)));
  const answer = await within(ask(purpose === 'reauthenticate' ? '?prompt=login&max_age=0' : ''));
  const { url = '/' }: { url?: string } = answer ? await answer.json() : {};
  // next-auth answers with an address of ours when it cannot reach the provider.
  if (!new URL(url, 'http://x').searchParams.has('state')) {
    logFailure(provider, 'unreachable');
    return redirect(pageOf(trip, session, 'provider'));
  }
  (await cookies()).set(await keepRoundTrip(trip));
  // The policy of our pages allows no form that leads to another host, also by a redirect.
  const sent = new Headers({ Refresh: `0;url=${url}`, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  for (const cookie of answer?.headers.getSetCookie() ?? []) sent.append('Set-Cookie', cookie);
  return new Response(null, { headers: sent });
}

/**
 * Ends a round trip: `identify` lets next-auth check what the provider says, and returns the identity or
 * null. Everything else is decided here, so that nothing is half done when the provider fails.
 */
export async function completeRoundTrip(
  request: NextRequest,
  provider: OidcProvider,
  identify: () => Promise<Identity | null>,
): Promise<Response> {
  const trip = await readRoundTrip(request.headers.get('cookie'), provider.id);
  if (!trip || (await countRoundTrip()) > 0) return redirect('/login?problem=provider');
  (await cookies()).set(endedRoundTrip());
  const identity = await within(identify());
  const session = await currentSession();
  if (identity) return redirect(await finish(trip, identity, session));
  logFailure(provider, 'refused');
  return redirect(pageOf(trip, session, 'provider'));
}

async function finish(trip: RoundTrip, identity: Identity, session: Session | null): Promise<string> {
  const { purpose, returnTo, sessionId, token } = trip;
  if (purpose === 'sign-in') return signIn(trip, identity);
  if (purpose === 'join') return join(trip, token, identity);
  // Somebody else may have signed in meanwhile. A password alone connects no other way in.
  if (!session || session.sessionId !== sessionId || (purpose === 'link' && session.needsSecondFactor))
    return pageOf(trip, session, 'old-session');
  if (purpose === 'link') {
    const linked = linkIdentity(session, identity).catch((error: unknown) => {
      if (error instanceof RightsEnded) return 'old-session';
      throw error;
    });
    return pageOf(trip, session, await linked);
  }
  const outcome = await reauthenticateWithIdentity(session, identity);
  return outcome === 'reauthenticated' ? returnTo : pageOf(trip, session, outcome);
}

async function signIn(trip: RoundTrip, identity: Identity): Promise<string> {
  const account = await authenticateIdentity(identity, await currentAddress());
  if (account === 'unknown-identity') return pageOf(trip, null, account);
  const issuer = await findOnlyIssuer(account);
  if (issuer !== null && issuer !== identity.issuer) return pageOf(trip, null, 'provider-only');
  await startSession(account);
  return trip.returnTo;
}

async function join(trip: RoundTrip, token: string, identity: Identity): Promise<string> {
  const isOwnerLink = (await findOwnerLink(token)) !== null;
  const accepted = await (isOwnerLink ? acceptOwnerLink : acceptInvitation)(token, '', identity);
  if (typeof accepted === 'string') return pageOf(trip, null, accepted);
  await startSession(accepted);
  const employee = (await currentSession())?.employee;
  if (employee && !isOwnerLink) await changePreferences(employee, { hidePrivate: true });
  return isOwnerLink ? '/owner' : '/portal';
}

// The page that shows how a round trip ended.
function pageOf({ purpose, returnTo, token }: RoundTrip, session: Session | null, problem: string): string {
  if (purpose === 'join') return `/invite/${encodeURIComponent(token)}?${new URLSearchParams({ problem })}`;
  if (purpose === 'sign-in' || !session) return `/login?${new URLSearchParams({ problem, returnTo })}`;
  return `${session.manager ? '/owner/settings' : '/portal/account'}?identity=${problem}#identities`;
}

const redirect = (location: string) => new Response(null, { status: 303, headers: { Location: location } });

const countRoundTrip = async () => countUse('provider', { address: addressGroup(await currentAddress()) });

const within = <Value>(answer: Promise<Value>): Promise<Value | null> =>
  Promise.race([answer, sleep(longestMs, null, { ref: false })]);

function logFailure({ id }: OidcProvider, outcome: 'unreachable' | 'refused'): void {
  logRepeats('warn', { provider: id, outcome }, {}, 'a sign-in at a provider failed');
}
