import { cookies, headers } from 'next/headers';
import type { NextRequest } from 'next/server';
import { z } from 'zod';
import type { OidcProvider } from '#platform/config/identity.ts';
import { addressGroup } from '#platform/config/ip-address.ts';
import { env } from '#platform/config/settings.ts';
import {
  askedProvider,
  endedOidcFlow,
  forgottenSignOut,
  hasSignedOut,
  type Identity,
  keepOidcFlow,
  knownGroup,
  type OidcFlow,
  OidcForm,
  pendingIdentity,
  provedAccount,
  readOidcFlow,
  rememberSignOut,
} from '#server/accounts/sign-in/cookies.ts';
import {
  authenticateIdentity,
  confirmSession,
  findProvider,
  linkIdentity,
  reauthenticateWithIdentity,
} from '#server/accounts/sign-in/identities.ts';
import { countUse, forgetUse } from '#server/accounts/sign-in/limits.ts';
import { connectRequiredIdentity } from '#server/accounts/sign-in/only-provider.ts';
import {
  explainFailure,
  identify,
  leadToProvider,
  logProviderFailure,
  readLogoutToken,
} from '#server/accounts/sign-in/provider.ts';
import { endProviderSessions } from '#server/accounts/sign-in/provider-sessions.ts';
import { currentAddress, currentSession, readFields, startSession } from '#server/accounts/sign-in/require.ts';
import { maxSignInBodyBytes } from '#server/accounts/sign-in/sign-in.ts';
import { answerUnknown } from '#server/api/fetch-route.ts';
import { acceptLink, findLink } from '#server/employees/personal-links.ts';
import { changePreferences } from '#server/inbox/preferences.ts';
import { asReturnPath } from '#server/notifications/field-rules.ts';
import { RightsEnded, type Session } from '#server/principals.ts';

/**
 * `POST signin/<id>` leads to a provider of OpenID Connect, `GET callback/<id>` back, and `POST confirm/<id>` binds the
 * identity that came back. At `POST logout/<id>` the provider itself says who signed out there (back-channel logout).
 * `GET renew` asks the provider of the session to confirm it. The other addresses stay closed.
 */
async function handle(request: NextRequest, { params }: { params: Promise<{ provider: string[] }> }) {
  const { provider: path } = await params;
  const [action, id = ''] = path;
  const provider = path.length === 2 ? findProvider(id) : undefined;
  if (provider && request.method === 'POST' && action === 'signin') return begin(provider, request);
  if (provider && request.method === 'GET' && action === 'callback') return complete(provider, request);
  if (provider && request.method === 'POST' && action === 'confirm') return confirm(provider, request);
  if (provider && request.method === 'POST' && action === 'logout') return endAtProvider(provider, request);
  if (path.length === 1 && request.method === 'GET' && action === 'renew') return renew(request);
  return answerUnknown(request);
}

type Begun = Pick<OidcFlow, 'purpose' | 'returnTo' | 'sessionId' | 'token'>;

// Sends the browser to a provider. To connect an identity the session must be re-authenticated.
async function begin(provider: OidcProvider, request: NextRequest): Promise<Response> {
  const form = await readFields(request, OidcForm);
  if (form instanceof Response) return form;
  const { purpose, callbackUrl, token } = form;
  const asksNothing = purpose === 'sign-in' && !hasSignedOut(request.headers.get('cookie'));
  const prompt = purpose === 'reauthenticate' ? 'login' : asksNothing ? null : 'choose';
  return leave(provider, { purpose, returnTo: asReturnPath(callbackUrl, '/'), token, prompt });
}

// Asks the provider of the session whether its person is still signed in there, without a question to them.
async function renew({ nextUrl: { searchParams } }: NextRequest): Promise<Response> {
  const session = await currentSession();
  const provider = env().OIDC_PROVIDERS.find(({ issuer }) => issuer === session?.issuer);
  const returnTo = asReturnPath(searchParams.get('returnTo'), '/');
  // Whatever becomes of it: the page does not ask again at once.
  (await cookies()).set(await askedProvider.keep({}));
  return provider ? leave(provider, { purpose: 'renew', returnTo, token: '', prompt: 'none' }) : redirect(returnTo);
}

type Leaving = Omit<Parameters<typeof leadToProvider>[1], 'sessionId'>;

async function leave(provider: OidcProvider, { prompt, ...leaving }: Leaving): Promise<Response> {
  const session = await currentSession();
  const begun = { ...leaving, sessionId: session?.sessionId ?? null };
  if (begun.purpose === 'link' && session?.reauthenticated === false)
    return redirect(pageOf(begun, session, 'old-session'));
  const waitSeconds = await countUse('provider', await currentSubject());
  if (waitSeconds > 0) return redirect(pageOf(begun, session, String(waitSeconds)));
  const jar = await cookies();
  try {
    const { address, flow } = await leadToProvider(provider, { ...begun, prompt });
    const names = jar.getAll().map(({ name }) => name);
    for (const cookie of await keepOidcFlow(flow, names)) jar.set(cookie);
    if (begun.purpose === 'renew') return redirect(address);
    // The policy of our pages allows no form that leads to another host, also by a redirect.
    return new Response(null, {
      headers: { Refresh: `0;url=${address}`, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
    });
  } catch (error) {
    return redirect(pageOfFailure(begun, session, provider, error));
  }
}

// Ends the flow of a browser that comes back. Everything but the identity is decided here, so that
// nothing is half done when the provider fails.
async function complete(provider: OidcProvider, request: NextRequest): Promise<Response> {
  const { searchParams, search } = request.nextUrl;
  const requested = { provider: provider.id, state: searchParams.get('state') ?? '' };
  const flow = await readOidcFlow(request.headers.get('cookie'), requested);
  const who = await currentSubject();
  if (!flow || (await countUse('provider', who)) > 0) return redirect('/login?problem=provider');
  const jar = await cookies();
  jar.set(endedOidcFlow(flow));
  const session = await currentSession();
  let identity: Identity;
  try {
    identity = await identify(provider, search, flow);
  } catch (error) {
    return redirect(pageOfFailure(flow, session, provider, error));
  }
  // Both ways, there and back: only failures count.
  for (let way = 0; way < 2; way++) await forgetUse('provider', who);
  const { purpose } = flow;
  if (['sign-in', 'reauthenticate', 'renew'].includes(purpose)) return redirect(await finish(flow, identity, session));
  // The browser may belong to somebody else at the provider: the person reads the name first.
  jar.set(await pendingIdentity.keep({ flow, identity }));
  return redirect('/login/connect');
}

// Binds the identity that the person has read the name of.
async function confirm(provider: OidcProvider, request: NextRequest): Promise<Response> {
  const form = await readFields(request, z.object({}));
  if (form instanceof Response) return form;
  const pending = await pendingIdentity.read(request.headers.get('cookie'));
  if (pending?.flow.provider !== provider.id) return redirect('/login?problem=old-session');
  (await cookies()).set(pendingIdentity.ended());
  return redirect(await finish(pending.flow, pending.identity, await currentSession()));
}

// The signature of the token is the proof, not where the request comes from.
async function endAtProvider(provider: OidcProvider, request: NextRequest): Promise<Response> {
  const who = { address: addressGroup(await currentAddress()) };
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  const isRefused = length > maxSignInBodyBytes || (await countUse('provider', who)) > 0;
  const token = isRefused ? null : new URLSearchParams(await request.text()).get('logout_token');
  const ended = token && (await readLogoutToken(provider, token).catch((error) => logProviderFailure(error, provider)));
  const isEnded = ended !== null && typeof ended === 'object';
  if (isEnded) await forgetUse('provider', who);
  if (isEnded) await endProviderSessions(provider.issuer, ended);
  return new Response(null, { status: isEnded ? 200 : 400, headers: { 'Cache-Control': 'no-store' } });
}

async function finish(flow: OidcFlow, identity: Identity, session: Session | null): Promise<string> {
  const { purpose, returnTo, sessionId, token } = flow;
  if (purpose === 'sign-in') return signIn(flow, identity);
  if (purpose === 'join') return join(flow, token, identity);
  if (purpose === 'connect') return connect(flow, identity);
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
  if (purpose === 'renew') {
    await confirmSession(session, identity);
    return returnTo;
  }
  const outcome = await reauthenticateWithIdentity(session, identity);
  return outcome === 'proved' ? returnTo : pageOf(flow, session, outcome);
}

async function signIn(flow: OidcFlow, identity: Identity): Promise<string> {
  const account = await authenticateIdentity(identity, await currentAddress());
  // The next press of the button asks which account it is: this one leads nowhere.
  (await cookies()).set(typeof account === 'string' ? rememberSignOut(null) : forgottenSignOut());
  if (typeof account === 'string') return pageOf(flow, null, account);
  await startSession(account);
  return flow.returnTo;
}

// Signs in who proved an account with a password or passkey where the company requires this provider.
async function connect(flow: OidcFlow, identity: Identity): Promise<string> {
  const jar = await cookies();
  const proved = await provedAccount.read((await headers()).get('cookie'));
  const account = proved ? await connectRequiredIdentity(proved, identity) : 'old-session';
  if (typeof account === 'string') return pageOf(flow, null, account);
  for (const cookie of [provedAccount.ended(), forgottenSignOut()]) jar.set(cookie);
  await startSession(account);
  return flow.returnTo;
}

async function join(flow: OidcFlow, token: string, identity: Identity): Promise<string> {
  const rights = (await findLink(token))?.rights;
  const accepted = await acceptLink(token, '', identity);
  if (typeof accepted === 'string') return pageOf(flow, null, accepted);
  await startSession(accepted);
  const employee = (await currentSession())?.employee;
  if (rights !== 'employee') return '/owner';
  if (employee) await changePreferences(employee, { hidePrivate: true });
  return '/portal';
}

function pageOf({ purpose, returnTo, token }: Begun, session: Session | null, problem: string): string {
  if (purpose === 'renew') return returnTo;
  if (purpose === 'join') return `/invite/${encodeURIComponent(token)}?${new URLSearchParams({ problem })}`;
  if (purpose === 'connect' && problem !== 'old-session')
    return `/login/provider?${new URLSearchParams({ problem, returnTo })}`;
  if (purpose === 'sign-in' || !session) return `/login?${new URLSearchParams({ problem, returnTo })}`;
  if (purpose === 'reauthenticate') {
    const page = new URL(returnTo, env().APP_URL);
    page.searchParams.set('proof', problem);
    return page.pathname + page.search;
  }
  return `${session.manager ? '/owner/settings' : '/portal/account'}?identity=${problem}#identities`;
}

function pageOfFailure(begun: Begun, session: Session | null, provider: OidcProvider, error: unknown): string {
  // Who is not signed in there any more is no failure.
  if (begun.purpose === 'renew' && explainFailure(error, provider.issuer).cause === 'cancelled') return begun.returnTo;
  const cause = logProviderFailure(error, provider);
  const isSilent = begun.purpose === 'link' && (cause === 'unreachable' || cause === 'certificate');
  return pageOf(begun, session, isSilent ? `unreachable:${provider.id}` : 'provider');
}

const redirect = (location: string) => new Response(null, { status: 303, headers: { Location: location } });

// A browser in which somebody signed in before does not share the budget of strangers at its address.
const currentSubject = async () => ({
  address: (await knownGroup((await headers()).get('cookie'))) ?? addressGroup(await currentAddress()),
});

export { handle as GET, handle as POST };
