import { setTimeout as sleep } from 'node:timers/promises';
import { cookies, headers } from 'next/headers';
import type { NextRequest } from 'next/server';
import { addressGroup } from '#platform/config/ip-address.ts';
import type { OidcProvider } from '#platform/config/oidc-providers.ts';
import { logRepeats } from '#platform/log/log.ts';
import { acceptOwnerLink, findOwnerLink } from '#server/accounts/owners/owner-links.ts';
import {
  authenticateIdentity,
  findProvider,
  type Identity,
  linkIdentity,
  reauthenticateWithIdentity,
} from '#server/accounts/sign-in/identities.ts';
import { knownGroup } from '#server/accounts/sign-in/known-browser.ts';
import { countUse, forgetUse } from '#server/accounts/sign-in/limits.ts';
import { identify, leadToProvider } from '#server/accounts/sign-in/next-auth.ts';
import {
  endedOidcFlow,
  keepOidcFlow,
  type OidcFlow,
  OidcForm,
  readOidcFlow,
} from '#server/accounts/sign-in/oidc-flow.ts';
import { currentAddress, currentSession, readFields, startSession } from '#server/accounts/sign-in/require.ts';
import { answerUnknown } from '#server/api/fetch-route.ts';
import { acceptInvitation } from '#server/employees/invitations.ts';
import { changePreferences } from '#server/inbox/preferences.ts';
import { asReturnPath } from '#server/notifications/field-rules.ts';
import { RightsEnded, type Session } from '#server/principals.ts';

// A provider that sends its answer byte by byte never reaches next-auth's limit of 3.5 s.
const longestMs = 10_000;

/**
 * `POST signin/<id>` leads to a provider of OpenID Connect, and `GET callback/<id>` back. The other
 * addresses of next-auth stay closed.
 */
async function handle(request: NextRequest, { params }: { params: Promise<{ nextauth: string[] }> }) {
  const { nextauth } = await params;
  const [action, id = ''] = nextauth;
  const provider = nextauth.length === 2 ? findProvider(id) : undefined;
  if (provider && request.method === 'POST' && action === 'signin') return begin(provider, request);
  if (provider && request.method === 'GET' && action === 'callback') return complete(provider, request);
  return answerUnknown(request);
}

// Sends the browser to a provider. To connect an identity the session must be re-authenticated.
async function begin(provider: OidcProvider, request: NextRequest): Promise<Response> {
  const form = await readFields(request, OidcForm);
  if (form instanceof Response) return form;
  const { purpose, callbackUrl, token } = form;
  const session = await currentSession();
  const returnTo = asReturnPath(callbackUrl, '/');
  const flow = { purpose, provider: provider.id, returnTo, sessionId: session?.sessionId ?? null, token };
  if (purpose === 'link' && session?.reauthenticated === false) return redirect(pageOf(flow, session, 'old-session'));
  const waitSeconds = await countUse('provider', await currentSubject());
  if (waitSeconds > 0) return redirect(pageOf(flow, session, String(waitSeconds)));
  const query = purpose === 'reauthenticate' ? '?prompt=login&max_age=0' : '';
  const provided = await within(leadToProvider(provider, request, query));
  if (!provided) {
    logFailure(provider, 'unreachable');
    return redirect(pageOf(flow, session, 'provider'));
  }
  (await cookies()).set(await keepOidcFlow(flow));
  // The policy of our pages allows no form that leads to another host, also by a redirect.
  const refresh = {
    Refresh: `0;url=${provided.address}`,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  };
  const sent = new Headers(refresh);
  for (const cookie of provided.cookies) sent.append('Set-Cookie', cookie);
  return new Response(null, { headers: sent });
}

// Ends the flow of a browser that comes back. Everything but the identity is decided here, so that
// nothing is half done when the provider fails.
async function complete(provider: OidcProvider, request: NextRequest): Promise<Response> {
  const flow = await readOidcFlow(request.headers.get('cookie'), provider.id);
  const who = await currentSubject();
  if (!flow || (await countUse('provider', who)) > 0) return redirect('/login?problem=provider');
  (await cookies()).set(endedOidcFlow());
  const identity = await within(identify(provider, request));
  const session = await currentSession();
  if (identity) {
    // Both ways, there and back: only failures count.
    for (let way = 0; way < 2; way++) await forgetUse('provider', who);
    return redirect(await finish(flow, identity, session));
  }
  logFailure(provider, 'refused');
  return redirect(pageOf(flow, session, 'provider'));
}

async function finish(flow: OidcFlow, identity: Identity, session: Session | null): Promise<string> {
  const { purpose, returnTo, sessionId, token } = flow;
  if (purpose === 'sign-in') return signIn(flow, identity);
  if (purpose === 'join') return join(flow, token, identity);
  // Somebody else may have signed in meanwhile. A password alone connects no other way in.
  if (!session || session.sessionId !== sessionId || (purpose === 'link' && session.needsSecondFactor))
    return pageOf(flow, session, 'old-session');
  if (purpose === 'link') {
    const linked = linkIdentity(session, identity).catch((error: unknown) => {
      if (error instanceof RightsEnded) return 'old-session';
      throw error;
    });
    return pageOf(flow, session, await linked);
  }
  const outcome = await reauthenticateWithIdentity(session, identity);
  return outcome === 'proved' ? returnTo : pageOf(flow, session, outcome);
}

async function signIn(flow: OidcFlow, identity: Identity): Promise<string> {
  const account = await authenticateIdentity(identity, await currentAddress());
  if (typeof account === 'string') return pageOf(flow, null, account);
  await startSession(account);
  return flow.returnTo;
}

async function join(flow: OidcFlow, token: string, identity: Identity): Promise<string> {
  const isOwnerLink = (await findOwnerLink(token)) !== null;
  const accepted = await (isOwnerLink ? acceptOwnerLink : acceptInvitation)(token, '', identity);
  if (typeof accepted === 'string') return pageOf(flow, null, accepted);
  await startSession(accepted);
  const employee = (await currentSession())?.employee;
  if (employee && !isOwnerLink) await changePreferences(employee, { hidePrivate: true });
  return isOwnerLink ? '/owner' : '/portal';
}

// The page that shows how a flow ended.
function pageOf({ purpose, returnTo, token }: OidcFlow, session: Session | null, problem: string): string {
  if (purpose === 'join') return `/invite/${encodeURIComponent(token)}?${new URLSearchParams({ problem })}`;
  if (purpose === 'sign-in' || !session) return `/login?${new URLSearchParams({ problem, returnTo })}`;
  return `${session.manager ? '/owner/settings' : '/portal/account'}?identity=${problem}#identities`;
}

const redirect = (location: string) => new Response(null, { status: 303, headers: { Location: location } });

// A browser in which somebody signed in before does not share the budget of strangers at its address.
const currentSubject = async () => ({
  address: (await knownGroup((await headers()).get('cookie'))) ?? addressGroup(await currentAddress()),
});

const within = <Value>(answer: Promise<Value>): Promise<Value | null> =>
  Promise.race([answer, sleep(longestMs, null, { ref: false })]);

function logFailure({ id }: OidcProvider, outcome: 'unreachable' | 'refused'): void {
  logRepeats('warn', { provider: id, outcome }, {}, 'a sign-in at a provider failed');
}

export { handle as GET, handle as POST };
