import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { Authenticator } from '#e2e/support/data/authenticator.ts';
import { makeCompany, must, password } from '#e2e/support/data/company.ts';
import { newName, openSessionCookie, signIn } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { createOwnerLink, inviteOwner } from '#server/accounts/owners/owner-links.ts';
import { acceptRecoveryCode, makeRecoveryCodes, requireSecondFactor } from '#server/accounts/owners/second-factor.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { decodeKnownBrowser, type KnownBrowser, rememberBrowser } from '#server/accounts/sign-in/cookies.ts';
import { limits } from '#server/accounts/sign-in/limits.ts';
import {
  addPasskey,
  authenticatePasskey,
  listPasskeys,
  makePasskeyOptions,
  makeProofOptions,
  makeSignInOptions,
  provePasskey,
  removePasskey,
} from '#server/accounts/sign-in/passkeys.ts';
import { listAudit } from '#server/audit/list.ts';
import { acceptLink } from '#server/employees/personal-links.ts';
import type { Account, Owner, Session } from '#server/principals.ts';

const origin = 'http://localhost:3000';

beforeAll(() => vi.stubEnv('APP_URL', origin));
afterEach(() => vi.useRealTimers());

const newAddress = () => randomUUID();
const options = () => makeSignInOptions() ?? { challenge: '' };
const creationOptions = async (account: Account) => (await makePasskeyOptions(account)) ?? { challenge: '' };
const proofOptions = async ({ account }: Session) => (await makeProofOptions(account)) ?? { challenge: '' };
const enter = (answer: string) => authenticatePasskey(answer, newAddress());

async function sessionOf(username: string) {
  const cookie = await signIn(username);
  const read = async () => must((await authenticateSession(cookie)) ?? 'no session');
  return { session: await read(), read };
}

async function addTo(session: Session, name = 'HP saya') {
  const authenticator = new Authenticator(origin);
  const answer = authenticator.register(await creationOptions(session.account));
  expect(await addPasskey(session, name, answer)).toBe('added');
  return authenticator;
}

async function makeOwner() {
  const company = await makeCompany();
  const { session, read } = await sessionOf(company.username);
  return { company, session, read, authenticator: await addTo(session) };
}

test('a passkey signs in with two factors; a challenge is for one answer', async () => {
  const { company, session, authenticator } = await makeOwner();
  const answer = authenticator.answer(options());
  const account = must(await enter(answer));
  expect(account).toMatchObject({ accountId: company.owner.accountId, hasSecondFactor: true });
  expect(await enter(answer)).toBe('wrong-passkey');
  const { name, value } = await openSessionCookie(account as never, { address: '192.0.2.1', client: '' });
  expect(await authenticateSession(`${name}=${value}`)).toMatchObject({ hasSecondFactor: true });
  expect(await listPasskeys(session.account)).toMatchObject([{ name: 'HP saya', usedAt: expect.any(Date) }]);
  // Both answers may be under way at once.
  const used = options();
  const answers = [authenticator.answer(used), authenticator.answer(used)].map(enter);
  expect((await Promise.all(answers)).filter((one) => one === 'wrong-passkey')).toHaveLength(1);
});

test('an answer with anything wrong signs nobody in', async () => {
  const { session, authenticator } = await makeOwner();
  const other = await makeOwner();
  const [signed, foreign] = [authenticator, other.authenticator].map((one) => JSON.parse(one.answer(options())));
  const { signature } = JSON.parse(authenticator.answer(options())).response;
  const wrong = {
    'another origin': authenticator.answer(options(), { origin: 'https://localhost:3000' }),
    'another host': authenticator.answer(options(), { rpId: 'example.com' }),
    'an unverified person': authenticator.answer(options(), { isVerified: false }),
    'a count that goes back': authenticator.answer(options(), { counter: 0 }),
    'a challenge of nobody': authenticator.answer({ challenge: Buffer.alloc(52, 255).toString('base64url') }),
    'a short challenge': authenticator.answer({ challenge: 'AAAA' }),
    'a challenge of the signed-in person': authenticator.answer(await proofOptions(session)),
    'another signature': JSON.stringify({ ...signed, response: { ...signed.response, signature } }),
    'an unknown passkey': new Authenticator(origin).answer(options()),
    "another company's id": JSON.stringify({ ...signed, id: foreign.id, rawId: foreign.rawId }),
    'no JSON': '{',
    'no object': 'null',
    'no answer': '{"id":1}',
  };
  for (const [what, answer] of Object.entries(wrong))
    expect([what, await enter(answer)]).toEqual([what, 'wrong-passkey']);
  const late = authenticator.answer(options());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 });
  expect(await enter(late)).toBe('wrong-passkey');
  vi.useRealTimers();
  must(await enter(authenticator.answer(options())));
});

test('an inactive employee cannot sign in with a passkey', async ({ company, employee }) => {
  const { session } = await sessionOf(await company.giveAccount(employee));
  const passkey = await addTo(session);
  must(await enter(passkey.answer(options())));
  await company.deactivate(employee);
  expect(await enter(passkey.answer(options()))).toBe('wrong-passkey');
});

test('a passkey is added only with the answer to a challenge of this account', async () => {
  const { session, authenticator } = await makeOwner();
  const { session: stranger } = await makeOwner();
  const fresh = new Authenticator(origin);
  const ours = () => creationOptions(session.account);
  const used = fresh.register(await ours());
  const wrong = [
    fresh.register(await creationOptions(stranger.account)),
    fresh.register(options()),
    fresh.register(await ours(), { origin: 'https://evil.example' }),
    fresh.register(await ours(), { isVerified: false }),
    authenticator.register(await ours()),
    authenticator.answer(await ours()),
    '{',
  ];
  for (const answer of wrong) expect(await addPasskey(session, 'X', answer)).toBe('wrong-passkey');
  expect(await addPasskey(session, 'X', used)).toBe('added');
  expect(await addPasskey(session, 'X', used)).toBe('wrong-passkey');
  expect(await listPasskeys(session.account)).toHaveLength(2);
  expect(await listPasskeys(stranger.account)).toHaveLength(1);
});

test('a passkey re-authenticates its own account only', async () => {
  const { session, read, authenticator } = await makeOwner();
  const other = await makeOwner();
  await sql()`update sessions set proved_at = now() - interval '1 hour', has_second_factor = false
    where company_id = ${session.account.companyId} and id = ${session.sessionId}`;
  const prove = (answer: string) => provePasskey(session, answer, newAddress());
  expect(await prove(other.authenticator.answer(await proofOptions(session)))).toBe('wrong-passkey');
  expect(await prove(authenticator.answer(await proofOptions(other.session)))).toBe('wrong-passkey');
  expect(await prove(authenticator.answer(options()))).toBe('wrong-passkey');
  expect(await read()).toMatchObject({ reauthenticated: false, hasSecondFactor: false });
  expect(await prove(authenticator.answer(await proofOptions(session)))).toBe('proved');
  expect(await read()).toMatchObject({ reauthenticated: true, hasSecondFactor: true });
});

test('junk from their address delays no known browser and no signed-in person; success costs nothing', async () => {
  const { session, authenticator } = await makeOwner();
  const [office, home] = [newAddress(), newAddress()];
  const right = (address: string, browser: KnownBrowser | null = null) =>
    authenticatePasskey(authenticator.answer(options()), address, browser);
  const account = { ...session.account, sessionVersion: session.sessionVersion };
  const { name, value } = await rememberBrowser(null, account);
  const known = await decodeKnownBrowser(`${name}=${value}`);
  const signedIn = { accountId: session.account.accountId };
  const { minute } = limits.passkey.address;
  for (let junk = 0; junk < minute; junk++) expect(await authenticatePasskey('{}', office)).toBe('wrong-passkey');
  expect(await right(office)).toMatchObject({ waitSeconds: expect.any(Number) });
  expect(await right(office, known)).toMatchObject(signedIn);
  expect(await provePasskey(session, authenticator.answer(await proofOptions(session)), office)).toBe('proved');
  for (let entered = 0; entered <= minute; entered++) expect(await right(home)).toMatchObject(signedIn);
  // What somebody tries in the browser of the account has a budget of its own.
  const wrong = () => authenticator.answer(options(), { origin: 'https://evil.example' });
  for (let tried = 0; tried < minute; tried++)
    expect(await authenticatePasskey(wrong(), office, known)).toBe('wrong-passkey');
  expect(await right(office, known)).toHaveProperty('waitSeconds');
});

test('from its day owners and managers have rights only with a second factor', async ({ company, owner, employee }) => {
  expect(await requireSecondFactor(owner, '2020-01-01')).toBe('passkey-first');
  const first = await sessionOf(company.username);
  const authenticator = await addTo(first.session);
  expect(await requireSecondFactor(owner, '2999-12-31')).toBe('changed');
  expect(await requireSecondFactor(owner, '2999-12-31')).toBe('unchanged');
  const before = await sessionOf(company.username);
  expect(before.session).toMatchObject({ needsSecondFactor: false, owner: { kind: 'owner' } });
  expect(await requireSecondFactor(owner, '2020-01-01')).toBe('changed');
  expect(await first.read()).toMatchObject({ needsSecondFactor: false, owner: { kind: 'owner' } });
  const pending = await before.read();
  expect(pending).toMatchObject({ needsSecondFactor: true, owner: null, manager: null });
  // With a passkey at hand, a password alone adds no other.
  const stolen = new Authenticator(origin).register(await creationOptions(pending.account));
  expect(await addPasskey(pending, 'X', stolen)).toBe('wrong-passkey');
  const [{ id } = { id: 0 }] = await listPasskeys(pending.account);
  expect(await removePasskey(pending, id)).toBe('needed');
  expect(await provePasskey(pending, authenticator.answer(await proofOptions(pending)), newAddress())).toBe('proved');
  expect(await before.read()).toMatchObject({ needsSecondFactor: false, owner: { kind: 'owner' } });
  const manager = await sessionOf((await company.addManager()).username);
  expect(manager.session).toMatchObject({ needsSecondFactor: true, manager: null });
  await addTo(manager.session);
  expect(await manager.read()).toMatchObject({ needsSecondFactor: false, manager: { kind: 'manager' } });
  const { session } = await sessionOf(await company.giveAccount(employee));
  expect(session).toMatchObject({ needsSecondFactor: false, employee: { kind: 'employee' } });
  const entries = (await listAudit(owner, { limit: 50 })).entries.map(({ details }) => details.changes);
  expect(entries).toContainEqual({ secondFactorDay: '2999-12-31' });
});

test('with recovery codes and no passkey, a password alone adds no passkey; a code does', async () => {
  const { company } = await makeOwner();
  const second = must(await inviteOwner(company.owner, 'Sari')).token;
  const username = newName();
  const { accountId } = must(await acceptLink(second, username, password));
  const [code = ''] = await makeRecoveryCodes({ ...company.owner, accountId });
  await requireSecondFactor(company.owner, '2020-01-01');
  const { session, read } = await sessionOf(username);
  const add = async () => {
    const answer = new Authenticator(origin).register(await creationOptions(session.account));
    return addPasskey(await read(), 'HP pencuri', answer);
  };
  expect(await add()).toBe('wrong-passkey');
  expect(await acceptRecoveryCode(session, code, newAddress())).toBe('accepted');
  expect(await add()).toBe('added');
});

test('a recovery code of an owner is a second factor once', async () => {
  const { company, session, read } = await makeOwner();
  await sql()`update sessions set has_second_factor = false where company_id = ${company.owner.companyId}`;
  await requireSecondFactor(company.owner, '2020-01-01');
  const [old = ''] = await makeRecoveryCodes(company.owner);
  const codes = await makeRecoveryCodes(company.owner);
  const [code = '', next = ''] = codes;
  expect(new Set(codes).size).toBe(10);
  const accept = (text: string, address = newAddress()) => acceptRecoveryCode(session, text, address);
  const { session: stranger } = await makeOwner();
  expect(await acceptRecoveryCode(stranger, code, newAddress())).toBe('wrong');
  expect(await accept(old)).toBe('wrong');
  const typed = [` ${code.toUpperCase()} `, ...Array<string>(9).fill(code)];
  const accepted = await Promise.all(typed.map((text) => accept(text)));
  expect(accepted.filter((one) => one === 'accepted')).toHaveLength(1);
  expect(await read()).toMatchObject({ needsSecondFactor: false, owner: { kind: 'owner' } });
  expect(await accept(code)).toBe('wrong');
  const address = newAddress();
  for (let tries = 0; tries < 10; tries++) expect(await accept('x', address)).toBe('wrong');
  expect(await accept(next, address)).toEqual({ waitSeconds: expect.any(Number) });
  const actions = (await listAudit(company.owner, { limit: 50 })).entries.map(({ action }) => action);
  const made = ['recovery.make', 'recovery.make'];
  expect(actions.filter((action) => action.startsWith('recovery'))).toEqual(['recovery.use', ...made]);
});

test('the last way to sign in stays; every other passkey can be removed', async () => {
  const { company, session, authenticator } = await makeOwner();
  const { companyId, accountId } = company.owner;
  const ids = async () => (await listPasskeys(session.account)).map(({ id }) => id);
  const [first = 0] = await ids();
  const { session: stranger } = await makeOwner();
  expect(await removePasskey(stranger, first)).toBe('no-such-passkey');
  await requireSecondFactor(company.owner, '2999-12-31');
  expect(await removePasskey(session, first)).toBe('needed');
  await requireSecondFactor(company.owner, null);
  await sql()`update accounts set password_hash = null where company_id = ${companyId} and id = ${accountId}`;
  expect(await removePasskey(session, first)).toBe('needed');
  await addTo(session);
  const both = await Promise.all((await ids()).map((id) => removePasskey(session, id)));
  expect(both.sort()).toEqual(['needed', 'removed']);
  await addTo(session);
  await removePasskey(session, first);
  expect(await enter(authenticator.answer(options()))).toBe('wrong-passkey');
});

test('a link for a new password removes passkeys and recovery codes', async () => {
  const { company, session, authenticator } = await makeOwner();
  await makeRecoveryCodes(company.owner);
  const link = must(await inviteOwner(company.owner, 'Sari')).token;
  const { accountId } = must(await acceptLink(link, newName(), 'sandi lain 12345'));
  const second: Owner = { ...company.owner, accountId, name: 'Sari' };
  const { token } = must(await createOwnerLink(second, session.account.accountId));
  must(await acceptLink(token, '', 'sandi baru 12345'));
  expect(await enter(authenticator.answer(options()))).toBe('wrong-passkey');
  expect(await sql()`select from recovery_codes where company_id = ${company.owner.companyId}`).toHaveLength(0);
});
