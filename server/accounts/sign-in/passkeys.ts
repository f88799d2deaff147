import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { findRow, sql, type Transaction } from '#db/client.ts';
import { asSignedIn } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { parseJson } from '#platform/config/checks.ts';
import { authSecret } from '#platform/config/identity.ts';
import { addressGroup } from '#platform/config/ip-address.ts';
import { env } from '#platform/config/settings.ts';
import { log } from '#platform/log/log.ts';
import { isWay, proveSession } from '#server/accounts/sessions/proof.ts';
import { isKnownTo, type KnownBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { countUse, countUses, forgetUse, type SlowedDown } from '#server/accounts/sign-in/limits.ts';
import { recordAudit } from '#server/audit/record.ts';
import type {
  Account,
  AccountId,
  AccountVersion,
  AuthenticatedAccount,
  OnlyProvider,
  Session,
} from '#server/principals.ts';

export const maxPasskeys = 20;

const challengeMinutes = 5;
const timeout = challengeMinutes * 60_000;

// EdDSA, ES256 and RS256.
const supportedAlgorithmIDs = [-8, -7, -257];

// It parses X.509 and CBOR: 26 MB, which a process needs only when somebody uses a passkey.
const webAuthn = () => import('@simplewebauthn/server');

type RelyingParty = { id: string; origin: string };

/**
 * The origin of APP_URL and its host, to which passkeys belong; null where browsers allow none: with
 * an IP address, or without TLS except on `localhost`.
 */
export function findRelyingParty(): RelyingParty | null {
  const { protocol, hostname: id, origin } = new URL(env().APP_URL);
  const isSecure = protocol === 'https:' || id === 'localhost';
  return isSecure && isIP(id) === 0 && !id.startsWith('[') ? { id, origin } : null;
}

// Whom a challenge is for; a stranger's is for any account.
const nameOf = (account?: AccountId) => (account ? `${account.companyId}/${account.accountId}` : 'sign-in');

const sign = (content: Buffer, who: string) =>
  createHmac('sha256', authSecret()).update(`passkey\n${who}\n`).update(content).digest();

// The end of its validity in Unix seconds, 16 random bytes, and the signature.
function makeChallenge(account?: AccountId): string {
  const content = randomBytes(20);
  content.writeUInt32BE(Math.floor(Date.now() / 1000) + challengeMinutes * 60);
  return Buffer.concat([content, sign(content, nameOf(account))]).toString('base64url');
}

// What the library checks of an answer: its challenge is ours and at most 5 minutes old. `take` says
// afterwards whether it is the first answer with this challenge.
function expectAnswer({ id: expectedRPID, origin: expectedOrigin }: RelyingParty, account?: AccountId) {
  let bytes = Buffer.alloc(0);
  const expectedChallenge = (challenge: string) => {
    bytes = Buffer.from(challenge, 'base64url');
    const content = bytes.subarray(0, 20);
    if (bytes.length !== 52 || content.readUInt32BE() < Date.now() / 1000) return false;
    return timingSafeEqual(bytes.subarray(20), sign(content, nameOf(account)));
  };
  const take = async () =>
    (await countUses([{ text: `passkey\n${bytes.toString('hex')}`, minutes: challengeMinutes, most: 1 }])) === 0;
  return { checks: { expectedChallenge, expectedRPID, expectedOrigin, requireUserVerification: true }, take };
}

const Answer = z.looseObject({ id: z.string(), response: z.looseObject({ clientDataJSON: z.string() }) });

type Response = RegistrationResponseJSON & AuthenticationResponseJSON;

// The JSON of an answer, or null. The library checks the rest of its fields.
const readAnswer = (answer: string) => (Answer.safeParse(parseJson(answer)).data ?? null) as unknown as Response | null;

export type PasskeySummary = Pick<Rows['passkeys'], 'id' | 'name' | 'createdAt' | 'usedAt'>;

export async function listPasskeys({ companyId, accountId }: AccountId): Promise<PasskeySummary[]> {
  return sql()<PasskeySummary[]>`
    select id, name, created_at as "createdAt", used_at as "usedAt" from passkeys
    where company_id = ${companyId} and account_id = ${accountId} order by id`;
}

async function describePasskeys({ companyId, accountId }: AccountId) {
  const rows = await sql()<Pick<Rows['passkeys'], 'credentialId' | 'transports'>[]>`
    select credential_id as "credentialId", transports from passkeys
    where company_id = ${companyId} and account_id = ${accountId}`;
  return rows.map(({ credentialId, transports }) => ({
    id: credentialId.toString('base64url'),
    type: 'public-key' as const,
    transports: transports as AuthenticatorTransport[],
  }));
}

/** What a browser needs to sign somebody in with any passkey of this service; null without passkeys. */
export function makeSignInOptions(): PublicKeyCredentialRequestOptionsJSON | null {
  const party = findRelyingParty();
  return party && { challenge: makeChallenge(), rpId: party.id, userVerification: 'required', timeout };
}

/** What a browser needs to ask a signed-in person for one of their passkeys; null when they have none. */
export async function makeProofOptions(account: AccountId): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
  const allowCredentials = await describePasskeys(account);
  const options = makeSignInOptions();
  return options && allowCredentials.length > 0
    ? { ...options, challenge: makeChallenge(account), allowCredentials }
    : null;
}

/** What a browser needs to make a passkey of this account; null where APP_URL allows none. */
export async function makePasskeyOptions(account: Account): Promise<PublicKeyCredentialCreationOptionsJSON | null> {
  const party = findRelyingParty();
  if (!party) return null;
  return {
    challenge: makeChallenge(account),
    rp: { id: party.id, name: account.companyName },
    user: { id: Buffer.from(nameOf(account)).toString('base64url'), name: account.username, displayName: account.name },
    pubKeyCredParams: supportedAlgorithmIDs.map((alg) => ({ alg, type: 'public-key' })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    excludeCredentials: await describePasskeys(account),
    attestation: 'none',
    timeout,
  };
}

/**
 * Adds the passkey of the browser's answer (JSON) to the account; its session has a second factor
 * from then on. A session that needs one adds the first passkey only, and none while the account
 * has recovery codes: they are its second factor.
 */
export async function addPasskey(
  session: Session,
  name: string,
  answer: string,
): Promise<'added' | 'wrong-passkey' | 'too-many'> {
  const { account, sessionId, needsSecondFactor } = session;
  const { companyId, accountId } = account;
  const [response, party] = [readAnswer(answer), findRelyingParty()];
  if (!response || !party) return 'wrong-passkey';
  const { checks, take } = expectAnswer(party, account);
  const { verifyRegistrationResponse } = await webAuthn();
  // The library throws for each way in which an answer is wrong.
  const verified = await verifyRegistrationResponse({ response, ...checks, supportedAlgorithmIDs }).catch(() => null);
  if (!verified?.verified || !(await take())) return 'wrong-passkey';
  const { id: credentialId, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return asSignedIn(session, async (tx) => {
    const passkeys = await tx`select from passkeys where company_id = ${companyId} and account_id = ${accountId}`;
    const codes = await tx`select from recovery_codes where company_id = ${companyId} and account_id = ${accountId}`;
    if (needsSecondFactor && passkeys.length + codes.length > 0) return 'wrong-passkey';
    if (passkeys.length >= maxPasskeys) return 'too-many';
    const { count } = await tx`
      insert into passkeys (company_id, account_id, name, credential_id, public_key, counter, transports)
      values (${companyId}, ${accountId}, ${name}, ${Buffer.from(credentialId, 'base64url')},
        ${Buffer.from(publicKey)}, ${counter}, ${transports}::text[])
      on conflict (credential_id) do nothing`;
    if (count === 0) return 'wrong-passkey';
    await tx`
      update sessions set has_second_factor = true where company_id = ${companyId} and id = ${sessionId}`;
    await recordAudit(tx, account, 'passkey.add', { name });
    return 'added';
  });
}

/**
 * Removes a passkey. `'needed'`: it is the last one, and the account has no password and no identity,
 * or its company requires a second factor.
 */
export async function removePasskey(session: Session, id: number): Promise<'removed' | 'needed' | 'no-such-passkey'> {
  const { account, needsSecondFactor } = session;
  const { companyId, accountId } = account;
  return asSignedIn(session, async (tx) => {
    const [row] = await tx<{ isNeeded: boolean }[]>`
      select a.password_hash is null and not exists (select from identities i
          where i.company_id = a.company_id and i.account_id = a.id)
        or c.second_factor_from is not null and (a.is_owner or a.is_manager) as "isNeeded"
      from accounts a join companies c on c.id = a.company_id
      where a.company_id = ${companyId} and a.id = ${accountId}`;
    const passkeys = await tx<Pick<PasskeySummary, 'id' | 'name'>[]>`
      select id, name from passkeys where company_id = ${companyId} and account_id = ${accountId}`;
    const passkey = passkeys.find((candidate) => candidate.id === id);
    if (!passkey) return 'no-such-passkey';
    if (needsSecondFactor || (row?.isNeeded && passkeys.length === 1)) return 'needed';
    await tx`delete from passkeys where company_id = ${companyId} and id = ${id}`;
    await recordAudit(tx, account, 'passkey.remove', { name: passkey.name });
    return 'removed';
  });
}

type Found = AccountVersion &
  Pick<Rows['passkeys'], 'id' | 'publicKey' | 'counter'> & {
    isAllowed: boolean;
    isWay: boolean;
  };

async function findPasskey(credentialId: Buffer): Promise<Found | null> {
  return findRow(sql()<Found[]>`
    select p.id, p.public_key as "publicKey", p.counter::float as counter, a.company_id as "companyId",
      a.id as "accountId", a.session_version as "sessionVersion",
      a.is_owner or a.is_manager or coalesce(e.active, false) as "isAllowed", ${isWay(null)} as "isWay"
    from passkeys p
    join companies c on c.id = p.company_id
    join accounts a on a.company_id = p.company_id and a.id = p.account_id
    left join employees e on e.company_id = a.company_id and e.account_id = a.id
    where p.credential_id = ${credentialId}`);
}

/**
 * Finds the account of a browser's answer (JSON) to `makeSignInOptions`. The passkey checked the person,
 * so it is two factors. `OnlyProvider`: as of `authenticatePassword`. Strangers at the address do not
 * delay a `browser` that knows the account.
 */
export async function authenticatePasskey(
  answer: string,
  address: string,
  browser: KnownBrowser | null = null,
): Promise<AuthenticatedAccount | 'wrong-passkey' | OnlyProvider | SlowedDown> {
  const result = await checkAnswer(answer, address, { browser });
  if (result === 'wrong-passkey' || 'waitSeconds' in result) return result;
  const { companyId, accountId, sessionVersion } = result;
  const account = { companyId, accountId, sessionVersion, hasSecondFactor: true };
  return result.isWay ? account : { onlyProviderOf: account };
}

// Checks an answer, also of a signed-in `account` to `makeProofOptions`. Counts failures only: of a
// signed-in account, of an account in a browser that it knows, or of the address.
async function checkAnswer(
  answer: string,
  address: string,
  { account, browser = null }: { account?: AccountId; browser?: KnownBrowser | null },
): Promise<Found | 'wrong-passkey' | SlowedDown> {
  const response = readAnswer(answer);
  const passkey = response && (await findPasskey(Buffer.from(response.id, 'base64url')));
  const person = account ?? (passkey && isKnownTo(passkey, browser) ? passkey : null);
  const who = { address: person ? `account ${nameOf(person)}` : addressGroup(address) };
  const waitSeconds = await countUse('passkey', who);
  if (waitSeconds > 0) return { waitSeconds };
  const verifiedPasskey = response && passkey && (await verifyAnswer(response, passkey, account));
  if (verifiedPasskey) await forgetUse('passkey', who);
  const outcome = verifiedPasskey ? 'signed-in' : 'refused';
  log().info({ outcome, address, accountId: verifiedPasskey?.accountId, passkey: true }, 'sign-in');
  return verifiedPasskey ?? 'wrong-passkey';
}

async function verifyAnswer(response: Response, passkey: Found, account?: AccountId): Promise<Found | null> {
  const party = findRelyingParty();
  if (!party || !passkey.isAllowed || (account && nameOf(account) !== nameOf(passkey))) return null;
  const { checks, take } = expectAnswer(party, account);
  const credential = { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter };
  const { verifyAuthenticationResponse } = await webAuthn();
  const verified = await verifyAuthenticationResponse({ response, ...checks, credential }).catch(() => null);
  if (!verified?.verified || !(await take())) return null;
  // Two answers with the same counter: one comes from a copy of the passkey.
  const { count } = await sql()`
    update passkeys set counter = ${verified.authenticationInfo.newCounter}, used_at = now()
    where company_id = ${passkey.companyId} and id = ${passkey.id} and counter = ${passkey.counter}`;
  return count > 0 ? passkey : null;
}

/**
 * Removes the passkeys and recovery codes of an account, in the transaction in which a link gave it a
 * new password: a person who lost the phone could not sign in otherwise, and its finder could.
 */
export async function removeSecondFactors(tx: Transaction, { companyId, accountId }: AccountId): Promise<void> {
  await tx`delete from passkeys where company_id = ${companyId} and account_id = ${accountId}`;
  await tx`delete from recovery_codes where company_id = ${companyId} and account_id = ${accountId}`;
}

/**
 * Marks a session as re-authenticated, with a second factor, by the answer to `makeProofOptions`.
 * `'provider-only'`: as `proveSession`.
 */
export async function provePasskey(
  session: Session,
  answer: string,
  address: string,
): Promise<'proved' | 'wrong-passkey' | 'provider-only' | SlowedDown> {
  const checked = await checkAnswer(answer, address, session);
  if (checked === 'wrong-passkey' || 'waitSeconds' in checked) return checked;
  return proveSession(session, { issuer: null, hasSecondFactor: true });
}
