import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { ageConfirmation, type Company, makeCompany, password } from '#e2e/support/data/company.ts';
import { authenticate, openSessionCookie } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { makeFrameSecret, offerToBell, openBell } from '#server/accounts/sessions/bell-offer.ts';
import { browserName } from '#server/accounts/sessions/browser-name.ts';
import { type BellClaims, encodeBellCookie } from '#server/accounts/sessions/cookie.ts';
import {
  changeIdleLimits,
  endBell,
  endOtherSessions,
  endSession,
  listSessions,
  maxSessions,
  openSession,
} from '#server/accounts/sessions/sessions.ts';
import { changePassword, reauthenticate } from '#server/accounts/sign-in/account.ts';
import {
  authenticateClaims,
  authenticateReader,
  authenticateRinging,
  authenticateSession,
  noteActivity,
} from '#server/accounts/sign-in/authenticate.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { listAudit } from '#server/audit/list.ts';
import { changeEmbedOrigins } from '#server/companies/link-base.ts';
import type { Session } from '#server/principals.ts';

const newAddress = () => `10.0.0.${randomUUID()}`;

async function signIn(username: string, client = 'a test'): Promise<{ cookie: string; session: Session }> {
  const account = await authenticate(username);
  const { name, value } = await openSessionCookie(account, { address: '10.1.2.3', client });
  const cookie = `other=1; ${name}=${value}`;
  return { cookie, session: (await authenticateSession(cookie)) as Session };
}

test('an ended session and a wrong cookie are invalid; the account’s others and others’ stay', async ({ username }) => {
  const [current, other] = [await signIn(username, 'Firefox'), await signIn(username, 'Chrome')];
  const foreign = await signIn((await makeCompany()).username);
  expect((await listSessions(current.session)).map(({ client }) => client)).toEqual(['Chrome', 'Firefox']);
  for (const { session } of [other, foreign]) await endSession(current.session.account, session.sessionId);
  expect(await authenticateSession(other.cookie)).toBeNull();
  expect((await authenticateSession(current.cookie))?.sessionId).toBe(current.session.sessionId);
  expect(await authenticateSession(foreign.cookie)).not.toBeNull();
  const [empty, { cookie }] = ['next-auth.session-token=', current];
  for (const wrong of [null, empty, `${empty}x.y.z`, cookie.slice(0, -4), cookie.replace('next-auth', 'other')])
    expect(await authenticateSession(wrong)).toBeNull();
});

test('a typed password is a proof for 10 minutes, only in its session', async ({ company }) => {
  const [currentSignIn, otherSignIn] = [await signIn(company.username), await signIn(company.username)];
  expect(currentSignIn.session.reauthenticated).toBe(true);
  await sql()`
    update sessions set proved_at = now() - interval '10 minutes' where company_id = ${company.owner.companyId}`;
  const old = (await authenticateSession(currentSignIn.cookie)) as Session;
  expect(old.reauthenticated).toBe(false);
  expect(await reauthenticate(old, 'salah', newAddress())).toBe('wrong-password');
  expect(await reauthenticate(old, password, newAddress())).toBe('proved');
  expect((await authenticateSession(currentSignIn.cookie))?.reauthenticated).toBe(true);
  expect((await authenticateSession(otherSignIn.cookie))?.reauthenticated).toBe(false);
});

// Makes the owner an employee, and adds a device to the session.
async function addDeviceOfOwner(company: Company, { sessionId }: Session): Promise<void> {
  const { companyId, accountId } = company.owner;
  const { employeeId } = await company.hire();
  await sql()`update employees set account_id = ${accountId} where company_id = ${companyId} and id = ${employeeId}`;
  await sql()`
    insert into push_subscriptions (company_id, employee_id, endpoint_hash, endpoint, p256dh, auth, session_id)
    values (${companyId}, ${employeeId}, ${Buffer.from(randomUUID())}, 'https://push.test', 'x', 'y', ${sessionId})`;
}

test('idle sessions end: actions keep an owner’s, the portal an employee’s', async ({ company, companyId }) => {
  const owner = await signIn(company.username);
  const employee = await signIn(await company.giveAccount(await company.hire()));
  const idleFor = ({ session }: typeof owner, minutes: number) => sql()`
    update sessions set seen_at = now() - ${minutes} * interval '1 minute'
    where company_id = ${companyId} and id = ${session.sessionId}`;
  const isOpen = async ({ cookie, session }: typeof owner) => {
    const listed = (await listSessions(session)).length;
    const found = await authenticateSession(cookie);
    expect(found ? 1 : 0).toBe(listed);
    return found;
  };
  for (const one of [owner, employee]) {
    await idleFor(one, 29 * 24 * 60);
    expect(await isOpen(one)).not.toBeNull();
  }
  await changeIdleLimits(company.owner, { managersIdleMinutes: 15, employeesIdleMinutes: 480 });
  expect(await isOpen(owner)).toBeNull();
  await idleFor(owner, 13);
  const background = await isOpen(owner);
  expect(background?.lastsMs).toBeLessThan(2.1 * 60_000);
  expect(background?.isSeen).toBe(false);
  await noteActivity([background as Session]);
  expect((await isOpen(owner))?.lastsMs).toBeGreaterThan(14 * 60_000);
  await idleFor(owner, 1.1);
  expect((await isOpen(owner))?.isSeen, 'a short limit is exact to a minute').toBe(false);
  await idleFor(employee, 479);
  expect(await isOpen(employee)).toMatchObject({ isSeen: true });
  expect((await isOpen(employee))?.lastsMs, 'a cached session is checked each hour').toBeLessThanOrEqual(3_600_000);
  await idleFor(employee, 481);
  expect(await isOpen(employee)).toBeNull();
  const { entries } = await listAudit(company.owner, { filter: { action: 'company.edit' } });
  expect(entries[0]?.details.changes).toEqual({ managersIdleMinutes: 15, employeesIdleMinutes: 480 });
});

test('ending all other sessions is audited, ends devices, touches no other account', async ({ company, other }) => {
  const currentSignIn = await signIn(company.username, 'curl/8');
  const otherSignIn = await signIn(company.username, 'Firefox/1');
  const foreignSignIn = await signIn(other.username);
  await signIn(company.username, 'Mozilla/5.0 (iPhone) Safari/604.1');
  await addDeviceOfOwner(company, otherSignIn.session);
  await addDeviceOfOwner(other, foreignSignIn.session);
  const countDevices = async ({ owner }: Company) =>
    (await sql()`select from push_subscriptions where company_id = ${owner.companyId}`).length;
  expect(await endOtherSessions(currentSignIn.session, foreignSignIn.session.sessionId)).toBe(0);
  expect(await endOtherSessions(currentSignIn.session, currentSignIn.session.sessionId)).toBe(0);
  expect(await Promise.all([company, other].map(countDevices))).toEqual([1, 1]);
  expect(await endOtherSessions(currentSignIn.session, 'others')).toBe(2);
  expect(await authenticateSession(otherSignIn.cookie)).toBeNull();
  expect(await authenticateSession(currentSignIn.cookie)).not.toBeNull();
  expect(await authenticateSession(foreignSignIn.cookie)).not.toBeNull();
  expect(await Promise.all([company, other].map(countDevices))).toEqual([0, 1]);
  const { entries } = await listAudit(company.owner, { filter: { action: 'session.end' } });
  expect(entries.map(({ details }) => details.client).sort()).toEqual(['Firefox', 'Safari, iPhone']);
});

test('changing a password ends every session of the account', async ({ company }) => {
  const { cookie, session } = await signIn(company.username);
  const next = 'sandi baru 12345';
  expect(session.owner).toEqual(company.owner);
  expect(await changePassword(session, 'salah', next, newAddress())).toBe('wrong-password');
  expect(await authenticateSession(cookie)).not.toBeNull();
  expect(await changePassword(session, password, next, newAddress())).toHaveProperty('sessionVersion', 2);
  expect(await authenticateSession(cookie)).toBeNull();
  expect(await authenticatePassword(company.username, password, newAddress())).toBe('wrong-password');
  expect(await authenticatePassword(company.username, next, newAddress())).toHaveProperty('accountId');
});

test('an account has at most 100 sessions; those unused for longest end at once', async ({ company, other }) => {
  const [oldest, used] = [await signIn(company.username, 'oldest'), await signIn(company.username, 'used')];
  const ofOther = await signIn(other.username);
  const { companyId } = company.owner;
  await sql()`update sessions set seen_at = now() - interval '1 hour' where company_id = ${companyId}`;
  await sql()`update sessions set seen_at = now() + interval '1 hour' where id = ${used.session.sessionId} and company_id = ${companyId}`;
  for (let opened = 0; opened < maxSessions - 2; opened++)
    await openSession(used.session.account, { address: '192.0.2.1', client: 'script' });
  // Listed, not used: a use would make it the newest.
  expect((await listSessions(used.session)).map(({ id }) => id)).toContain(oldest.session.sessionId);
  await openSession(used.session.account, { address: '192.0.2.1', client: 'script' });
  expect(await authenticateSession(oldest.cookie)).toBeNull();
  for (const { cookie } of [used, ofOther]) expect(await authenticateSession(cookie)).not.toBeNull();
  expect(await listSessions(used.session)).toHaveLength(maxSessions);
});

const chromium = { address: '10.1.2.3', client: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36' };

/** Connects a bell of a session in a page of this origin. */
async function connectBell(session: Session, origin: string): Promise<BellClaims> {
  const { secret, code } = makeFrameSecret();
  const claims = await openBell({ secret, ticket: await offerToBell(session, code, origin), origin }, chromium);
  if (!claims) throw new Error('the bell was not opened');
  return claims;
}

const headerOf = async (claims: BellClaims) => {
  const { name, value } = await encodeBellCookie(claims);
  return `${name}=${value}`;
};

test('the cookie of a bell in another page reads for its employee, and is no session cookie', async ({ company }) => {
  const { session } = await signIn(company.username);
  const { account, sessionId, sessionVersion } = session;
  const origin = `https://${randomUUID()}.example.com`;
  await changeEmbedOrigins(company.owner, origin);
  const bell = await encodeBellCookie(await connectBell(session, origin));
  expect(bell).toMatchObject({ sameSite: 'none', secure: true, httpOnly: true, partitioned: true });
  const header = `${bell.name}=${bell.value}`;
  const reader = await authenticateReader(header);
  expect(reader).toMatchObject({ sessionId, owner: null, manager: null, reauthenticated: false });
  expect(await authenticateSession(header)).toBeNull();
  // It does not count in the place of a session cookie.
  const { companyId, accountId } = account;
  const { name } = await openSessionCookie({ companyId, accountId, sessionVersion }, chromium);
  expect(await authenticateSession(`${name}=${bell.value}`)).toBeNull();
  await endSession(account, sessionId);
  expect(await authenticateReader(header)).toBeNull();
});

test('a session that its provider does not confirm rings for 7 days, and does no more', async ({ company }) => {
  const origin = `https://${randomUUID()}.example.com`;
  await changeEmbedOrigins(company.owner, origin);
  const { cookie, session } = await signIn(await company.giveAccount(await company.hire()));
  const ofOwner = await signIn(company.username);
  const bell = await headerOf(await connectBell(session, origin));
  const waysAfter = async (hours: number) => {
    await ageConfirmation(company, hours);
    const pages = await Promise.all([authenticateSession(cookie), authenticateReader(bell)]);
    const rings = await Promise.all([cookie, bell, ofOwner.cookie].map(authenticateRinging));
    return [...pages, ...rings].map((found) => found !== null);
  };
  expect(await waysAfter(11)).toEqual([true, true, true, true, true]);
  expect(await waysAfter(13)).toEqual([false, false, true, true, false]);
  expect(await waysAfter(7 * 24 - 1)).toEqual([false, false, true, true, false]);
  expect(await waysAfter(7 * 24 + 1)).toEqual([false, false, false, false, false]);
});

test('a session is offered to one bell for 60 s; only its secret with the ticket takes it', async ({ company }) => {
  const { session } = await signIn(company.username);
  const { account, sessionId, sessionVersion } = session;
  const { companyId, accountId } = account;
  const { secret, code } = makeFrameSecret();
  const origin = 'https://hr.example.com';
  const ticket = await offerToBell(session, code, origin);
  // A stranger may have chosen the secret, and knows everything but the ticket.
  for (const [text, given, page] of [
    [secret, '', origin],
    [secret, code, origin],
    [code, ticket, origin],
    [makeFrameSecret().secret, ticket, origin],
    [secret, ticket, 'https://other.example.com'],
  ] as const)
    expect(await openBell({ secret: text, ticket: given, origin: page }, chromium)).toBeNull();
  const open = () => openBell({ secret, ticket, origin }, chromium);
  const opened = (await Promise.all([open(), open()])).filter((claims) => claims !== null);
  expect(opened).toEqual([{ companyId, accountId, sessionId, sessionVersion, bellId: expect.any(Number), origin }]);
  expect(await open()).toBeNull();
  const late = await offerToBell(session, code, origin);
  await sql()`
    update sessions set bell_until = bell_until - interval '60 seconds'
    where company_id = ${companyId} and id = ${sessionId}`;
  expect(await openBell({ secret, ticket: late, origin }, chromium)).toBeNull();
  const { entries } = await listAudit(company.owner, { filter: { action: 'bell.open' } });
  const details = { origin, client: expect.stringContaining('Chrome'), address: '10.1.2.3' };
  expect(entries).toMatchObject([{ details }]);
});

test('a person sees the bells of their sessions, and ends one alone', async ({ company }) => {
  const { session } = await signIn(company.username);
  const other = await signIn(company.username);
  const [first, second] = [`https://${randomUUID()}.example.com`, `https://${randomUUID()}.example.com`];
  await changeEmbedOrigins(company.owner, `${first}\n${second}`);
  const replaced = await connectBell(session, first);
  const [bell, kept] = [await connectBell(session, first), await connectBell(session, second)];
  expect(await authenticateReader(await headerOf(replaced))).toBeNull();
  const bellsOf = async () =>
    (await listSessions(other.session)).flatMap(({ bells }) => bells.map(({ origin }) => origin));
  expect(await bellsOf()).toEqual([second, first]);
  const stranger = await signIn((await makeCompany()).username);
  expect(await endBell(stranger.session, bell.bellId)).toBe('gone');
  expect(await endBell(other.session, bell.bellId)).toBe('ended');
  expect(await endBell(other.session, bell.bellId)).toBe('gone');
  expect(await authenticateReader(await headerOf(bell))).toBeNull();
  expect(await authenticateReader(await headerOf(kept))).not.toBeNull();
  expect(await bellsOf()).toEqual([second]);
  const { entries } = await listAudit(company.owner, { filter: { action: 'bell.end' } });
  expect(entries).toMatchObject([{ details: { origin: first } }]);
});

test('a bell opens and reads only while the company of its session lists its page', async ({ company }) => {
  const { session, cookie } = await signIn(await company.giveAccount(await company.hire()));
  const [origin, foreign] = [`https://${randomUUID()}.example.com`, `https://${randomUUID()}.example.com`];
  await changeEmbedOrigins((await makeCompany()).owner, foreign);
  await changeEmbedOrigins(company.owner, origin);
  const claims = await connectBell(session, origin);
  const header = await headerOf(claims);
  const state = async () => ({
    opens: (await authenticateClaims([origin, foreign, ''].map((page) => ({ ...claims, origin: page })))).map(Boolean),
    reads: (await authenticateReader(header)) !== null,
    access: (await authenticateSession(cookie))?.accessNo ?? 0,
  });
  const before = await state();
  expect(before).toMatchObject({ opens: [true, false, false], reads: true });
  await changeEmbedOrigins(company.owner, 'https://other.example.com');
  const after = await state();
  expect(after).toMatchObject({ opens: [false, false, false], reads: false });
  expect(after.access, 'open streams are asked again').toBeGreaterThan(before.access);
});

test.each([
  ['(Windows NT 10.0; Win64; x64) (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36', 'Chrome', 'Windows'],
  ['(Windows NT 10.0) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0', 'Edge', 'Windows'],
  ['(Linux; Android 10; K) Chrome/142.0.0.0 Mobile Safari/537.36', 'Chrome', 'Android'],
  ['(Linux; Android 13) SamsungBrowser/26.0 Chrome/122.0.0.0 Safari/537.36', 'Samsung Internet', 'Android'],
  ['(iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', 'Safari', 'iPhone'],
  ['(iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/142.0 Safari/604.1', 'Chrome', 'iPhone'],
  ['(Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'macOS'],
  ['(X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Linux'],
  ['curl/8.5.0', '', ''],
])('%s', (userAgent, browser, system) => {
  expect(browserName(`Mozilla/5.0 ${userAgent}`)).toEqual({ browser, system });
});
