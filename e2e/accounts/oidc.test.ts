import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect } from 'vitest';
import { sql } from '#db/client.ts';
import { actionsOf, ageConfirmation, type Company, makeCompany, must, password } from '#e2e/support/data/company.ts';
import { randomAddress } from '#e2e/support/data/random.ts';
import { test } from '#e2e/support/data/test.ts';
import { Visitor } from '#e2e/support/http/cookie.ts';
import { sendTo } from '#e2e/support/http/interface.ts';
import { type IdToken, readIdToken, signIdToken, startOidcProvider } from '#e2e/support/service/oidc-provider.ts';
import { freePort, startOrExplain, withProviders } from '#e2e/support/service/service.ts';
import { addressGroup } from '#platform/config/ip-address.ts';
import { createOperatorLink } from '#server/accounts/owners/operator.ts';
import { inviteOwner } from '#server/accounts/owners/owner-links.ts';
import { unlinkIdentity } from '#server/accounts/sign-in/identities.ts';
import { countUse, limits } from '#server/accounts/sign-in/limits.ts';
import { allowAllMethods, requireProvider } from '#server/accounts/sign-in/only-provider.ts';
import { acceptLink } from '#server/employees/personal-links.ts';
import type { Account } from '#server/principals.ts';

const url = `http://127.0.0.1:${await freePort()}`;
const provider = await startOidcProvider(url);
afterAll(provider.stop);
const service = await startOrExplain(withProviders(url, provider.setting));
const honest = { lie: null, algorithm: 'RS256', changeAnswer: null, isDisabled: false };
beforeEach(() => void Object.assign(provider, { ...honest, person: newPerson() }));

const newPerson = () => ({ subject: `orang-${randomUUID()}` });
const pathOf = (url: string | null) => (url ?? '').replace(service.url, '');

/** Signs in with a password as a form does. Returns where that leads. */
const typePassword = async (visitor: Visitor, username: string) =>
  pathOf(Visitor.next(await visitor.request(`${service.url}/api/auth/sign-in`, { username, password })));

const leave = (visitor: Visitor, fields: Record<string, string> = {}) =>
  visitor.request(`${service.url}/api/auth/signin/uji`, fields);

/** Presses a button of the provider. Returns the address with which the provider sends the browser back. */
const visitProvider = async (visitor: Visitor, fields?: Record<string, string>) =>
  visitor.follow(await leave(visitor, fields), provider.issuer);

/** A whole round trip, in which the person confirms the name at the provider. Returns the path on which they end. */
async function roundTrip(visitor: Visitor, fields?: Record<string, string>): Promise<string> {
  const back = await visitProvider(visitor, fields);
  const path = back.startsWith(`${service.url}/api/auth/callback/`)
    ? pathOf(Visitor.next(await visitor.request(back)))
    : pathOf(back);
  return path === '/login/connect' ? confirm(visitor) : path;
}

const confirm = async (visitor: Visitor) =>
  pathOf(Visitor.next(await visitor.request(`${service.url}/api/auth/confirm/uji`, {})));

const flowCookies = (jar: Map<string, string>) => [...jar.keys()].filter((name) => name.startsWith('oidc-flow-'));

const hasSession = async (visitor: Visitor) => (await visitor.request(`${service.url}/owner/settings`)).status === 200;

/** A company whose owner has connected the person of the provider, and is signed in. */
async function makeLinked(): Promise<{ company: Company; visitor: Visitor; account: Account }> {
  const company = await makeCompany();
  const visitor = new Visitor();
  await typePassword(visitor, company.username);
  expect(await roundTrip(visitor, { purpose: 'link' })).toBe('/owner/settings?identity=linked#identities');
  return { company, visitor, account: { ...company.owner, username: company.username, language: null } };
}

// What the settings say of each provider: never, or the time.
const lastLogouts = /(terakhirnya|message from it): (belum pernah|never|<time[^>]*>)/g;

const textOf = async (visitor: Visitor, path: string) => (await visitor.request(service.url + path)).text();

const readIdentities = ({ owner }: Company) => sql()<{ id: number; label: string }[]>`
  select id, label from identities where company_id = ${owner.companyId}`;

/** Whether the newest session of a company is proved, and has a second factor. */
async function readNewest({ owner }: Company) {
  const [session] = await sql()<{ isProved: boolean; hasFactor: boolean }[]>`
    select proved_at > now() - interval '10 minutes' as "isProved", has_second_factor as "hasFactor" from sessions
    where company_id = ${owner.companyId} order by id desc limit 1`;
  return session;
}

const isProved = async (company: Company) => (await readNewest(company))?.isProved;

const expireProofs = ({ owner }: Company) =>
  sql()`update sessions set proved_at = now() - interval '1 hour' where company_id = ${owner.companyId}`;

test('two tabs that return from the provider at once are both signed in, also one after the other', async () => {
  const { visitor } = await makeLinked();
  for (const pauseMs of [0, 10, 20, 40]) {
    visitor.cookiesFor(service.url).clear();
    const signIn = { purpose: 'sign-in', returnTo: '/owner' };
    const backs = [await visitProvider(visitor, signIn), await visitProvider(visitor, signIn)];
    const land = async (back: string, afterMs: number) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await visitor.request(back);
      const first = await visitor.request(`${service.url}/owner`);
      // The other tab's sign-in has just ended this session: the page of the sign-in finds the new one, and leads back.
      const again = () => visitor.request(Visitor.next(first) ?? '');
      return first.status === 200 || pathOf(Visitor.next(await again())) === '/owner';
    };
    expect(await Promise.all(backs.map((back, tab) => land(back, tab * pauseMs)))).toEqual([true, true]);
    expect(await hasSession(visitor)).toBe(true);
  }
});

const foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const lies: Record<string, (token: IdToken) => void> = {
  'a nonce of another sign-in': ({ claims }) => Object.assign(claims, { nonce: 'x'.repeat(43) }),
  'no nonce': ({ claims }) => void delete claims.nonce,
  'another issuer': ({ claims }) => Object.assign(claims, { iss: 'https://accounts.google.com' }),
  'another audience': ({ claims }) => Object.assign(claims, { aud: 'another client' }),
  'an end in the past': ({ claims }) => Object.assign(claims, { exp: Number(claims.iat) - 3600 }),
  'a begin in the future': ({ claims }) => Object.assign(claims, { nbf: Number(claims.iat) + 3600 }),
  'no subject': ({ claims }) => void delete claims.sub,
};
const answers: Record<string, (path: string, answer: Record<string, unknown>) => Record<string, unknown>> = {
  'a signature with another key': (_, answer) => ({
    ...answer,
    ...(answer.id_token !== undefined && { id_token: signIdToken(readIdToken(answer.id_token), foreignKey) }),
  }),
  'no signature': (_, answer) => ({
    ...answer,
    ...(answer.id_token !== undefined && {
      id_token: signIdToken({ ...readIdToken(answer.id_token), header: { alg: 'none' } }).replace(/[^.]*$/, ''),
    }),
  }),
  'no ID token': (_, { id_token: _idToken, ...answer }) => answer,
  'another issuer everywhere': (path, answer) => {
    const iss = 'http://127.0.0.1:1';
    if (path.startsWith('/.well-known/')) return { ...answer, issuer: iss };
    const token = readIdToken(answer.id_token);
    return { ...answer, id_token: signIdToken({ ...token, claims: { ...token.claims, iss } }) };
  },
};

test('an ID token with a wrong or missing part signs nobody in', async () => {
  const { company } = await makeLinked();
  const outcomes = async () => {
    const visitor = new Visitor();
    const path = await roundTrip(visitor, { callbackUrl: '/owner' });
    return [path, await hasSession(visitor)];
  };
  const faults = [
    ...Object.entries(lies).map(([name, lie]) => [name, { lie }] as const),
    ...Object.entries(answers).map(([name, changeAnswer]) => [name, { changeAnswer }] as const),
  ];
  for (const [name, fault] of faults) {
    Object.assign(provider, honest, fault);
    expect(await outcomes(), name).toEqual(['/login?problem=provider&returnTo=%2Fowner', false]);
  }
  Object.assign(provider, honest);
  expect(await outcomes()).toEqual(['/owner', true]);
  expect(await readIdentities(company)).toHaveLength(1);
});

test('ID tokens are accepted by each algorithm that the provider announces, but never with a shared secret', async () => {
  await makeLinked();
  const tryAlgorithm = async (algorithm: string) => {
    provider.algorithm = algorithm;
    return `${algorithm} ${await roundTrip(new Visitor(), { callbackUrl: '/owner' })}`;
  };
  for (const algorithm of ['RS256', 'ES256', 'ES384', 'PS256', 'RS512', 'EdDSA'])
    expect(await tryAlgorithm(algorithm)).toBe(`${algorithm} /owner`);
  for (const algorithm of ['HS256', 'none']) expect(await tryAlgorithm(algorithm)).toContain('problem=provider');
  provider.lie = ({ header }) => Object.assign(header, { alg: 'ES256' });
  expect(await tryAlgorithm('RS256'), 'one that was not announced').toContain('problem=provider');
});

test('the clock of a provider may be 3 minutes off, also for a proof, and not more', async () => {
  const { visitor } = await makeLinked();
  const paths = [];
  for (const seconds of [170, -170, 300]) {
    provider.lie = ({ claims }) => {
      for (const name of ['iat', 'exp', 'auth_time']) claims[name] = Number(claims[name] ?? claims.iat) + seconds;
      // A token is valid for ten minutes, so only `nbf` and `iat` reveal a wrong clock.
      claims.nbf = claims.iat;
    };
    paths.push(await roundTrip(visitor, { purpose: 'reauthenticate', callbackUrl: '/owner/keys' }));
  }
  expect(paths).toEqual(['/owner/keys', '/owner/keys', '/owner/keys?proof=provider']);
});

test('a name comes from userinfo where the token has none, and one without a name keeps it', async ({ company }) => {
  const visitor = new Visitor();
  await typePassword(visitor, company.username);
  provider.lie = ({ claims }) => void delete claims.preferred_username;
  const requests = provider.userInfoRequests;
  await roundTrip(visitor, { purpose: 'link' });
  expect(provider.userInfoRequests).toBe(requests + 1);
  const labels = async () => (await readIdentities(company)).map(({ label }) => label);
  expect(await labels()).toEqual([`${provider.person?.subject}@sso.test`]);
  provider.changeAnswer = (path, { userinfo_endpoint, ...answer }) =>
    path.startsWith('/.well-known/') ? answer : { userinfo_endpoint, ...answer };
  expect(await roundTrip(new Visitor(), { callbackUrl: '/owner' })).toBe('/owner');
  expect(await labels()).toEqual([`${provider.person?.subject}@sso.test`]);
});

const promptOf = () => provider.asked.at(-1)?.get('prompt');

test('after a sign-out the next person is asked who they are, and a new sign-in there proves them', async () => {
  const { company, visitor } = await makeLinked();
  await roundTrip(visitor);
  expect(promptOf()).toBe(null);
  await visitor.request(`${service.url}/api/auth/sign-out`, { callbackUrl: '/login' });
  provider.lie = ({ claims }) => void delete claims.auth_time;
  expect(await roundTrip(visitor)).toBe('/');
  expect([promptOf(), await isProved(company)]).toEqual(['login', true]);
  await roundTrip(visitor);
  expect([promptOf(), await isProved(company)]).toEqual([null, false]);
  await visitor.request(`${service.url}/api/auth/sign-out`, { callbackUrl: '/login' });
  provider.changeAnswer = (path, answer) =>
    path.startsWith('/.well-known/') ? { ...answer, prompt_values_supported: ['none', 'select_account'] } : answer;
  await leave(visitor);
  const sent = Visitor.next(await leave(visitor)) ?? '';
  expect(new URL(sent).searchParams.get('prompt')).toBe('select_account');
});

test('a way back with another state, without its cookies or with those of another way is refused', async () => {
  await makeLinked();
  const change: Record<string, (back: URL, jar: Map<string, string>, other: Map<string, string>) => void> = {
    'another state': (back) => back.searchParams.set('state', 'x'.repeat(43)),
    'no state': (back) => back.searchParams.delete('state'),
    'another code': (back) => back.searchParams.set('code', 'x'.repeat(43)),
    'no flow': (_, jar) => jar.delete(flowCookies(jar)[0] ?? ''),
    'a forged flow': (_, jar) => jar.set(flowCookies(jar)[0] ?? '', 'x.y.z'),
    'the flow of another way': (_, jar, other) =>
      jar.set(flowCookies(jar)[0] ?? '', other.get(flowCookies(other)[0] ?? '') ?? ''),
    'state and flow of another way': (back, jar, other) => {
      const [name = ''] = flowCookies(other);
      jar.set(name, other.get(name) ?? '');
      back.searchParams.set('state', provider.asked.at(-1)?.get('state') ?? '');
    },
  };
  for (const [name, spoil] of Object.entries(change)) {
    const [visitor, other] = [new Visitor(), new Visitor()];
    const back = new URL(await visitProvider(visitor));
    const asked = provider.asked.at(-1);
    for (const part of ['state', 'nonce', 'code_challenge']) expect(asked?.get(part)?.length).toBeGreaterThan(20);
    const left = await leave(other);
    const flow = left.headers.getSetCookie().find((one) => one.startsWith('oidc-flow-'));
    expect(flow).toMatch(/HttpOnly; SameSite=lax/i);
    await other.follow(left, provider.issuer);
    spoil(back, visitor.cookiesFor(service.url), other.cookiesFor(service.url));
    const path = pathOf(Visitor.next(await visitor.request(back.href)));
    expect([name, path.split('&')[0], await hasSession(visitor)]).toEqual([name, '/login?problem=provider', false]);
  }
  const visitor = new Visitor();
  const back = await visitProvider(visitor, { callbackUrl: '/owner' });
  const land = async () => pathOf(Visitor.next(await visitor.request(back))).split('&')[0];
  expect([await land(), await land()], 'a way counts once').toEqual(['/owner', '/login?problem=provider']);
  expect(await confirm(new Visitor()), 'no identity to confirm').toBe('/login?problem=old-session');
});

test('a provider that is slow, down or refuses gets a sentence and a line in the log', async () => {
  const { company } = await makeLinked();
  const tokens = (how: 'never' | 'trickle') => (path: string, answer: Record<string, unknown>) =>
    path === '/token' ? how : answer;
  const everything = () => 'never' as const;
  for (const changeAnswer of [tokens('never'), tokens('trickle'), everything]) {
    Object.assign(provider, { changeAnswer });
    const visitor = new Visitor();
    const started = performance.now();
    expect(await roundTrip(visitor)).toBe('/login?problem=provider&returnTo=%2F');
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(await hasSession(visitor)).toBe(false);
  }
  Object.assign(provider, { changeAnswer: null, person: null });
  const cancelling = new Visitor();
  expect(await roundTrip(cancelling)).toBe('/login?problem=provider&returnTo=%2F');
  const page = await cancelling.request(`${service.url}/login?problem=provider`);
  expect(await page.text()).toContain('did not work, or was cancelled');
  expect(service.output()).toContain('"msg":"a sign-in at a provider failed"');
  expect(service.output()).not.toContain('rahasia klien uji');
  expect(service.output()).not.toMatch(/Deprecat|DEP0/);
  expect(await readIdentities(company)).toHaveLength(1);
});

test('an identity belongs to one account; without another way in it stays', async ({ other }) => {
  const { company, account } = await makeLinked();
  const visitor = new Visitor();
  await typePassword(visitor, other.username);
  expect(await roundTrip(visitor, { purpose: 'link' })).toBe('/owner/settings?identity=identity-taken#identities');
  expect(await readIdentities(other)).toEqual([]);
  const [identity] = await readIdentities(company);
  const id = identity?.id ?? 0;
  expect(await unlinkIdentity({ ...other.owner, username: '', language: null }, id)).toBe('no-such-identity');
  const { companyId, accountId } = company.owner;
  const setHash = (hash: string | null) =>
    sql()`update accounts set password_hash = ${hash} where company_id = ${companyId} and id = ${accountId}`;
  const [before] = await sql()<{ hash: string }[]>`
    select password_hash as hash from accounts where company_id = ${companyId} and id = ${accountId}`;
  await setHash(null);
  expect(await unlinkIdentity(account, id)).toBe('only-way-in');
  await setHash(before?.hash ?? null);
  expect(await unlinkIdentity(account, id)).toBe('unlinked');
  expect(await actionsOf(company)).toEqual(expect.arrayContaining(['identity.link', 'identity.unlink']));
  expect(await roundTrip(new Visitor())).toContain('problem=unknown-identity');
});

test('only a re-authenticated session connects, and only for the session that asked', async ({ company }) => {
  const visitor = new Visitor();
  await typePassword(visitor, company.username);
  const back = await visitProvider(visitor, { purpose: 'link' });
  await typePassword(visitor, company.username);
  expect(pathOf(Visitor.next(await visitor.request(back)))).toBe('/login/connect');
  expect(await confirm(visitor)).toBe('/owner/settings?identity=old-session#identities');
  await expireProofs(company);
  expect(await roundTrip(visitor, { purpose: 'link' })).toBe('/owner/settings?identity=old-session#identities');
  expect(await roundTrip(new Visitor(), { purpose: 'link' })).toContain('/login?problem=old-session');
  expect(await readIdentities(company)).toEqual([]);
});

test('an invitation is accepted with an identity instead of a password, once', async ({ company }) => {
  const employee = await company.hire('Siti Rahma');
  const token = await company.invite(employee);
  const visitor = new Visitor();
  expect(await roundTrip(visitor, { purpose: 'join', token })).toBe('/portal');
  expect((await visitor.request(`${service.url}/portal/settings`)).status).toBe(200);
  expect(await roundTrip(new Visitor(), { purpose: 'join', token })).toBe(`/invite/${token}?problem=invalid`);
  expect(await roundTrip(new Visitor(), { callbackUrl: '/portal' })).toBe('/portal');
  const second = await company.invite(await company.hire('Budi'));
  const taken = `/invite/${second}?problem=identity-taken`;
  expect(await roundTrip(new Visitor(), { purpose: 'join', token: second })).toBe(taken);
  const accounts = await sql()<{ username: string; hash: string | null }[]>`
    select username, password_hash as hash from accounts where company_id = ${company.owner.companyId} and not is_owner`;
  expect(accounts).toEqual([{ username: expect.stringMatching(/^siti\.rahma\.[0-9a-f]{8}$/), hash: null }]);
  await company.deactivate(employee);
  expect(await roundTrip(new Visitor())).toContain('problem=unknown-identity');
  provider.person = newPerson();
  const manager = must(await inviteOwner(company.owner, 'Manajer', 'manager'));
  expect(await roundTrip(new Visitor(), { purpose: 'join', token: manager.token })).toBe('/owner');
});

// The path after a right password: the sign-in page redirects a browser that keeps the new session cookie.
const signedIn = '/login?problem=no-cookies&returnTo=%2F';

test('an owner may allow one provider only; one password and the operator’s link stay', async () => {
  const { company, visitor } = await makeLinked();
  const { owner } = company;
  const manager = await company.addManager();
  const rule = { issuer: provider.issuer, fallbackAccountId: owner.accountId };
  expect(await requireProvider(owner, { ...rule, issuer: 'https://accounts.google.com' })).toBe('not-linked');
  expect(await requireProvider(owner, { ...rule, fallbackAccountId: manager.accountId })).toBe('no-such-owner');
  expect(await requireProvider(owner, rule)).toBe('changed');
  expect(await typePassword(new Visitor(), manager.username)).toBe('/login/provider?returnTo=%2F');
  expect(await typePassword(new Visitor(), company.username)).toBe(signedIn);
  expect(await roundTrip(new Visitor(), { callbackUrl: '/owner' })).toBe('/owner');
  const token = await company.invite(await company.hire('Rina'));
  const page = await (await new Visitor().request(`${service.url}/invite/${token}`)).text();
  expect([page.includes('name="password"'), page.includes('/api/auth/signin/uji')]).toEqual([false, true]);
  // This owner has no password that stays and no provider. The operator's link makes their password the one that stays.
  const { companyId } = owner;
  await sql()`update accounts set is_owner = true, is_manager = false where company_id = ${companyId} and id = ${manager.accountId}`;
  const link = must(await createOperatorLink({ kind: 'operator' }, manager.username));
  expect(await acceptLink(link.token, '', password)).toHaveProperty('accountId');
  expect(await typePassword(new Visitor(), manager.username)).toBe(signedIn);
  expect(await typePassword(new Visitor(), company.username)).toBe(
    '/login/provider?step=provider-only&provider=uji&returnTo=%2F',
  );
  await allowAllMethods(owner);
  expect(await typePassword(new Visitor(), company.username)).toBe(signedIn);
  const changes = ['company.require-provider', 'company.allow-all-methods'];
  expect(await actionsOf(company)).toEqual(expect.arrayContaining(changes));
  expect(await hasSession(visitor)).toBe(true);
});

test('the provider proves a person again who was asked anew there, with an identity of theirs', async () => {
  const { company, visitor } = await makeLinked();
  const proveAgain = async () => {
    await expireProofs(company);
    const path = await roundTrip(visitor, { purpose: 'reauthenticate', callbackUrl: '/owner/keys' });
    return [path, await isProved(company)];
  };
  expect(await proveAgain()).toEqual(['/owner/keys', true]);
  const asked = provider.asked.at(-1);
  expect([asked?.get('prompt'), asked?.get('max_age')]).toEqual(['login', '0']);
  provider.lie = ({ claims }) => Object.assign(claims, { auth_time: Number(claims.iat) - 600 });
  expect(await proveAgain()).toEqual(['/owner/keys?proof=stale', false]);
  Object.assign(provider, { lie: null, person: newPerson() });
  visitor.cookiesFor(provider.issuer).clear();
  expect(await proveAgain()).toEqual(['/owner/keys?proof=other-identity', false]);
});

test('a sign-in proves who has just signed in at the provider, and is two factors if that says so', async () => {
  const { company } = await makeLinked();
  const { subject } = provider.person ?? { subject: '' };
  const enter = async () => {
    expect(await roundTrip(new Visitor(), { callbackUrl: '/owner' })).toBe('/owner');
    return readNewest(company);
  };
  for (const age of [null, 600, 0]) {
    provider.lie = ({ claims }) => Object.assign(claims, age !== null && { auth_time: Number(claims.iat) - age });
    expect(await enter()).toEqual({ isProved: age === 0, hasFactor: false });
  }
  const single = [{ amr: ['pwd'] }, { amr: ['otp'] }, { acr: '1' }];
  const alone = ['mfa', 'hwk', 'phr', 'phrh'].map((one) => ({ amr: [one] }));
  const several = [...alone, { amr: ['pwd', 'otp'] }, { acr: 'phr' }];
  for (const how of [...single, ...several]) {
    provider.person = { subject, ...how };
    expect(await enter(), JSON.stringify(how)).toMatchObject({ hasFactor: !single.includes(how) });
  }
});

/** The claims of a logout token of the provider, with what `more` changes. */
const logoutClaims = (more: object): Record<string, unknown> => {
  const iat = Math.floor(Date.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  return { iss: provider.issuer, aud: 'notif', jti: randomUUID(), events, iat, exp: iat + 120, ...more };
};

/** Posts a logout token as the provider does. Returns the status. */
const postLogout = (claims: Record<string, unknown>, header: object = {}): Promise<number> =>
  postToken(signIdToken({ header: { alg: 'RS256', typ: 'logout+jwt', ...header }, claims }));

const postToken = async (token: string) => {
  const body = new URLSearchParams({ logout_token: token });
  return (await fetch(`${service.url}/api/auth/logout/uji`, { method: 'POST', body })).status;
};

async function enterWithSid(sid: string): Promise<Visitor> {
  provider.lie = ({ claims }) => Object.assign(claims, { sid });
  const visitor = new Visitor();
  await roundTrip(visitor);
  return visitor;
}

test('a provider ends its sessions here by sid or sub, once for each token, and no others', async () => {
  const { company, visitor: withPassword } = await makeLinked();
  const { subject } = provider.person ?? { subject: '' };
  const visitors = [await enterWithSid('satu'), await enterWithSid('dua'), await enterWithSid('dua')];
  const past = Math.floor(Date.now() / 1000) - 3600;
  const wrong = [
    ...[{ iss: 'https://lain.test' }, { aud: 'lain' }, { events: {} }, { nonce: 'x' }, { jti: undefined }],
    ...[{ iat: past, exp: past + 120 }, { exp: undefined }, { sid: undefined, sub: undefined }],
    ...[{ sid: 'a\0b' }, { sub: 'a\0b' }, { jti: 'a\0b' }, { jti: '\ud800' }, { sid: 1 }],
  ];
  for (const more of wrong)
    expect([more, await postLogout(logoutClaims({ sid: 'dua', ...more }))]).toEqual([more, 400]);
  for (const header of [{ alg: 'HS256' }, { alg: 'none' }, { typ: 'JWT' }, { typ: undefined }])
    expect([header, await postLogout(logoutClaims({ sid: 'dua' }), header)]).toEqual([header, 400]);
  const open = () => Promise.all([...visitors, withPassword].map(hasSession));
  expect(await open()).toEqual([true, true, true, true]);
  const listLogouts = async () => (await textOf(withPassword, '/owner/settings/access')).match(lastLogouts);
  const before = await listLogouts();
  const token = logoutClaims({ sid: 'dua', sub: subject });
  expect([await postLogout(token), await open()]).toEqual([200, [true, false, false, true]]);
  expect(await listLogouts()).not.toEqual(before);
  expect(await postLogout(token)).toBe(400);
  expect([await postLogout(logoutClaims({ sub: subject })), await open()]).toEqual([200, [false, false, false, true]]);
  expect(await readIdentities(company)).toHaveLength(1);
});

test('a provider ends a session by the newest of its own, also after a proof and a silent confirmation', async () => {
  const { company } = await makeLinked();
  const visitor = await enterWithSid('pertama');
  const other = await enterWithSid('lain');
  const changeTo = async (sid: string, confirm: () => Promise<unknown>) => {
    provider.lie = ({ claims }) => Object.assign(claims, { sid });
    await confirm();
  };
  await changeTo('kedua', () => roundTrip(visitor, { purpose: 'reauthenticate', callbackUrl: '/owner' }));
  await changeTo('ketiga', async () => {
    const left = await visitor.request(`${service.url}/api/auth/renew?returnTo=/owner`);
    await visitor.request(await visitor.follow(left, provider.issuer));
  });
  const rows = await sql()<{ sid: string }[]>`
    select provider_sid as sid from sessions where company_id = ${company.owner.companyId} and issuer is not null order by id`;
  expect(rows.map(({ sid }) => sid)).toEqual(['ketiga', 'lain']);
  expect(await postLogout(logoutClaims({ sid: 'ketiga', sub: provider.person?.subject }))).toBe(200);
  expect([await hasSession(visitor), await hasSession(other)]).toEqual([false, true]);
});

test('a provider that names a session unknown here ends those of its person, unless it was signed out here', async () => {
  await makeLinked();
  const sub = provider.person?.subject;
  const [visitor, other] = [await enterWithSid('keluar'), await enterWithSid('ponsel')];
  await visitor.request(`${service.url}/api/auth/sign-out`, { callbackUrl: '/login' });
  expect(await postLogout(logoutClaims({ sid: 'keluar', sub }))).toBe(200);
  expect(await hasSession(other)).toBe(true);
  expect(await postLogout(logoutClaims({ sid: 'tak dikenal' }))).toBe(200);
  expect(await hasSession(other)).toBe(true);
  expect(await postLogout(logoutClaims({ sid: 'tak dikenal', sub }))).toBe(200);
  expect(await hasSession(other)).toBe(false);
});

test('a logout may be as late as a sign-in, or the log says so; junk asks the provider for nothing', async () => {
  await makeLinked();
  for (const seconds of [240, -240]) {
    const visitor = await enterWithSid(`jam${seconds}`);
    const iat = Math.floor(Date.now() / 1000) + seconds;
    expect(await postLogout(logoutClaims({ sid: `jam${seconds}`, iat, exp: iat + 120 }))).toBe(200);
    expect(await hasSession(visitor)).toBe(false);
  }
  const iat = Math.floor(Date.now() / 1000) - 900;
  expect(await postLogout(logoutClaims({ sid: 'jam', iat, exp: iat + 120 }))).toBe(400);
  await expect.poll(() => service.output()).toContain('"cause":"time"');
  const before = provider.requests;
  for (const junk of ['', 'x', 'x.y.z', signIdToken({ header: { alg: 'RS256' }, claims: { sub: 'x' } })])
    expect(await postToken(junk)).toBe(400);
  for (const sid of ['satu', 'dua']) expect(await postLogout(logoutClaims({ sid }))).toBe(200);
  expect(provider.requests).toBe(before);
});

test('a session of a provider ends 12 hours after the provider confirmed it; a new proof confirms it again', async () => {
  const { company, visitor: withPassword } = await makeLinked();
  const visitor = new Visitor();
  await roundTrip(visitor);
  const { companyId } = company.owner;
  const passHours = (hours: number) => sql()`
    update sessions set confirm_by = confirm_by - ${hours} * interval '1 hour', confirmed_at = now() - interval '1 day'
    where company_id = ${companyId}`;
  await passHours(11);
  expect(await roundTrip(visitor, { purpose: 'reauthenticate', callbackUrl: '/owner' })).toBe('/owner');
  await passHours(11);
  expect(await hasSession(visitor)).toBe(true);
  await passHours(2);
  expect([await hasSession(visitor), await hasSession(withPassword)]).toEqual([false, true]);
});

test('13 hours after a sign-in the portal gets titles, until the provider or a week ends it', async ({ company }) => {
  const token = await company.invite(await company.hire('Gudang'));
  const visitor = new Visitor();
  provider.lie = ({ claims }) => Object.assign(claims, { sid: 'gudang' });
  await roundTrip(visitor, { purpose: 'join', token });
  const key = await company.newKey();
  const sendOne = () => sendTo(service.url, key, { judul: 'Truk datang', isi: 'Isi rahasia' });
  const get = async (path: string) => {
    const response = await visitor.request(service.url + path);
    return { status: response.status, text: await response.text() };
  };
  await ageConfirmation(company, 13);
  await sendOne();
  for (const path of ['/portal/feed?after=0', '/portal/feed?after=0&count=1']) {
    const answer = JSON.parse((await get(path)).text);
    expect(answer).toMatchObject({ items: [{ title: 'Truk datang', body: '' }], titlesOnly: true });
  }
  expect(JSON.parse((await get('/portal/feed?after=1')).text)).toMatchObject({ items: [], titlesOnly: true });
  expect((await get('/portal/stream?after=0')).status).toBe(503);
  expect((await get('/portal/inbox?limit=1')).status).toBe(401);
  expect((await get('/portal/notifications')).text).not.toContain('Isi rahasia');
  await roundTrip(visitor, { callbackUrl: '/portal' });
  expect((await get('/portal/feed?after=0')).text).toContain('Isi rahasia');

  await ageConfirmation(company, 13);
  expect((await get('/portal/feed?after=0')).status).toBe(200);
  expect(await postLogout(logoutClaims({ sid: 'gudang' }))).toBe(200);
  await expect.poll(async () => (await get('/portal/feed?after=0')).status).toBe(401);
  await roundTrip(visitor, { callbackUrl: '/portal' });
  await ageConfirmation(company, 7 * 24 + 1);
  expect((await get('/portal/feed?after=0')).status).toBe(401);
});

test('failed ways to a provider from one address have a limit, which known browsers do not share', async () => {
  await makeLinked();
  const address = randomAddress();
  const fail = (times: number) => Promise.all(Array.from({ length: times }, () => countUse('provider', who)));
  const who = { address: addressGroup(address) };
  await fail(limits.provider.address.minute - 2);
  const known = new Visitor(address);
  for (const visitor of [known, new Visitor(address)]) expect(await roundTrip(visitor), 'success is free').toBe('/');
  const visitor = new Visitor(address);
  const back = await visitProvider(visitor);
  await fail(1);
  expect(pathOf(Visitor.next(await visitor.request(back)))).toBe('/login?problem=provider');
  expect(await roundTrip(new Visitor(address))).toMatch(/^\/login\?problem=\d+&/);
  expect(await roundTrip(known)).toBe('/');
});

test('without the setting the addresses do not exist, and a foreign page cannot begin', async () => {
  const { SERVICE_URL = '' } = process.env;
  const begin = async (url: string, origin: string) => {
    const options = { method: 'POST', body: new URLSearchParams(), headers: { origin } };
    return (await fetch(`${url}/api/auth/signin/uji`, options)).status;
  };
  expect(await begin(SERVICE_URL, SERVICE_URL)).toBe(404);
  expect((await fetch(`${SERVICE_URL}/api/auth/callback/uji`)).status).toBe(404);
  expect(await (await fetch(`${SERVICE_URL}/login`)).text()).not.toContain('/api/auth/signin/');
  expect(await begin(service.url, 'https://evil.test')).toBe(403);
});

test('a silent question takes no page to a provider that shows a page of its own, and the log says why', async () => {
  await makeLinked();
  const visitor = new Visitor();
  await roundTrip(visitor);
  const renew = async () => Visitor.next(await visitor.request(`${service.url}/api/auth/renew?returnTo=/owner/keys`));
  expect(await renew()).toMatch(/^http:.*[?&]prompt=none/);
  provider.isDisabled = true;
  expect(await renew()).toBe(`${service.url}/owner/keys`);
  expect(await hasSession(visitor)).toBe(true);
  await expect.poll(() => service.output()).toContain('a silent question is answered with a page (HTTP 400)');
  await provider.stop();
  expect(await renew()).toBe(`${service.url}/owner/keys`);
});
