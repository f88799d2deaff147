import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { Authenticator } from '#e2e/support/data/authenticator.ts';
import { makeCompany, must, password } from '#e2e/support/data/company.ts';
import { signIn } from '#e2e/support/data/owners.ts';
import { openSession } from '#server/accounts/sessions/sessions.ts';
import { changePassword, reauthenticate } from '#server/accounts/sign-in/account.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import type { Identity } from '#server/accounts/sign-in/cookies.ts';
import { authenticateIdentity, linkIdentity, reauthenticateWithIdentity } from '#server/accounts/sign-in/identities.ts';
import { listMissingIssuers, requireProvider } from '#server/accounts/sign-in/only-provider.ts';
import * as passkeys from '#server/accounts/sign-in/passkeys.ts';
import { explainFailure } from '#server/accounts/sign-in/provider.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import type { AuthenticatedAccount, Session } from '#server/principals.ts';

const origin = 'http://localhost:3000';
const client = { address: '192.0.2.1', client: 'a test' };
const fresh = { label: 'Uji', hasSecondFactor: true, isFresh: true, sid: null };
const identityOf = (issuer: string): Identity => ({ issuer, subject: randomUUID(), ...fresh });

beforeAll(() => vi.stubEnv('APP_URL', origin));

/** An owner with a session, a password, a passkey and two identities, of which the company allows one from now on. */
async function makePerson({ isFallback = false } = {}) {
  const company = await makeCompany();
  const { companyId } = company.owner;
  const session = must((await authenticateSession(await signIn(company.username))) ?? 'no session');
  const [only, other] = [identityOf(`https://${randomUUID()}.test`), identityOf('https://other.test')];
  for (const identity of [only, other]) await linkIdentity(session, identity);
  const authenticator = new Authenticator(origin);
  const options = must((await passkeys.makePasskeyOptions(session.account)) ?? 'no options');
  await passkeys.addPasskey(session, 'HP saya', authenticator.register(options));
  const [fallback] = await sql()<{ id: number }[]>`
    insert into accounts (company_id, username, name, password_hash, is_owner)
    values (${companyId}, ${randomUUID()}, 'Pemilik Cadangan', '-', true) returning id`;
  const fallbackAccountId = isFallback ? company.owner.accountId : (fallback?.id ?? 0);
  expect(await requireProvider(company.owner, { issuer: only.issuer, fallbackAccountId })).toBe('changed');
  await sql()`update sessions set proved_at = 'epoch', has_second_factor = false where company_id = ${companyId}`;
  return { session, username: company.username, only, other, authenticator };
}

type Person = Awaited<ReturnType<typeof makePerson>>;

// Opens a session, as `startSession` does, when a way to sign in returned an account.
const open = async (account: AuthenticatedAccount | object | string) =>
  typeof account === 'object' && 'accountId' in account
    ? openSession(account as AuthenticatedAccount, client)
    : account;

const answerTo = ({ authenticator }: Person, options: { challenge: string } | null) =>
  authenticator.answer(must(options ?? 'no options'));

/** All ways to a session that counts as proved. */
const ways: Record<string, (person: Person) => Promise<unknown>> = {
  'sign-in with a password': async ({ username }) => open(await authenticatePassword(username, password, randomUUID())),
  'sign-in with a passkey': async (person) =>
    open(await passkeys.authenticatePasskey(answerTo(person, passkeys.makeSignInOptions()), randomUUID())),
  'sign-in with another provider': async ({ other }) => open(await authenticateIdentity(other, randomUUID())),
  'the password again': ({ session }) => reauthenticate(session, password, randomUUID()),
  'a new password': async ({ session }) =>
    open(await changePassword(session, password, 'sandi baru 12345', randomUUID())),
  'a passkey again': async (person) => {
    const options = await passkeys.makeProofOptions(person.session.account);
    return passkeys.provePasskey(person.session, answerTo(person, options), randomUUID());
  },
  'another provider again': ({ session, other }) => reauthenticateWithIdentity(session, other),
  'a session for an account that names no provider': ({ session }) =>
    open({ ...session.account, sessionVersion: session.sessionVersion }),
};

const listProved = ({ account }: Session) => sql()`
  select from sessions where company_id = ${account.companyId} and account_id = ${account.accountId} and proved_at > 'epoch'`;

test.each(Object.keys(ways))('one allowed provider: %s proves only the owner who is the way back', async (name) => {
  const [person, wayBack] = [await makePerson(), await makePerson({ isFallback: true })];
  const outcome = await ways[name]?.(person);
  expect(await listProved(person.session)).toHaveLength(0);
  if (typeof outcome === 'string') expect(outcome).toBe('provider-only');
  await ways[name]?.(wayBack);
  expect(await listProved(wayBack.session)).toHaveLength(1);
});

test('the allowed provider proves a person, and a passkey stays their second factor', async () => {
  const person = await makePerson();
  const { session, only } = person;
  expect(await reauthenticateWithIdentity(session, { ...only, hasSecondFactor: false })).toBe('proved');
  await open(await authenticateIdentity(only, randomUUID()));
  expect(await listProved(session)).toHaveLength(2);
  expect(await ways['a passkey again']?.(person)).toBe('provider-only');
  const [{ factor } = { factor: false }] = await sql()<{ factor: boolean }[]>`
    select has_second_factor as factor from sessions where company_id = ${session.account.companyId} and id = ${session.sessionId}`;
  expect(factor).toBe(true);
});

test('a company that requires no provider is in no list of missing ones, also where the settings have none', async () => {
  await makeCompany();
  expect((await listMissingIssuers()).filter(({ issuer }) => issuer === null)).toEqual([]);
});

test('a certificate that is over is told apart from one of an unknown authority', () => {
  const causeOf = (code: string) => {
    const cause = Object.assign(new Error(code), { code });
    return explainFailure(new TypeError('fetch failed', { cause }), 'https://id.test').cause;
  };
  expect(causeOf('CERT_HAS_EXPIRED')).toBe('expired');
  expect(causeOf('DEPTH_ZERO_SELF_SIGNED_CERT')).toBe('certificate');
});
