import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { byId, countRows, db, deleteRows, hasRows, matches, type Transaction, updateRows } from '#db/client.ts';
import { withSignedIn } from '#db/company-row.ts';
import { and, eq, exists, isNotNull, isNull, not, or, sql } from '#db/drizzle.cjs';
import { accounts, companies, employees, identities, passkeys, recoveryCodes, sessions } from '#db/schema/tables.ts';
import { parseJson } from '#platform/config/checks.ts';
import { authSecret } from '#platform/config/identity.ts';
import { addressGroup } from '#platform/config/ip-address.ts';
import { env } from '#platform/config/settings.ts';
import { log } from '#platform/log/log.ts';
import { isWayOf, maySignIn, proveSession, versionColumns } from '#server/accounts/sessions/sessions.ts';
import { isKnownTo, type KnownBrowser } from '#server/accounts/sign-in/cookies.ts';
import { countUse, countUses, forgetUse, type SlowedDown } from '#server/accounts/sign-in/limits.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Account, AccountId, Session } from '#server/principals.ts';

export const maxPasskeys = 20;

const challengeMinutes = 5;
const timeout = challengeMinutes * 60_000;

// EdDSA, ES256 and RS256.
const supportedAlgorithmIDs = [-8, -7, -257];

// It parses X.509 and CBOR: 26 MB, which a process needs only when somebody uses a passkey.
const webAuthn = () => import('@simplewebauthn/server');

type RelyingParty = { id: string; origin: string };

/** The origin of APP_URL and its host; null with an IP address, or without TLS except on `localhost`. */
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

// What the library checks of an answer: its challenge is ours. `take` says whether it is the first with it.
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

export async function listPasskeys({ companyId, accountId }: AccountId, tx?: Transaction) {
  const { id, name, createdAt, usedAt } = passkeys;
  const isOwn = matches(passkeys, { companyId, accountId });
  return db(tx).select({ id, name, createdAt, usedAt }).from(passkeys).where(isOwn).orderBy(id);
}

async function describePasskeys({ companyId, accountId }: AccountId) {
  const { credentialId, transports } = passkeys;
  const isOwn = matches(passkeys, { companyId, accountId });
  const rows = await db().select({ credentialId, transports }).from(passkeys).where(isOwn);
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
  if (!options || allowCredentials.length === 0) return null;
  return { ...options, challenge: makeChallenge(account), allowCredentials };
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
 * Adds the passkey of the browser's answer (JSON); the session has a second factor from then on. A session that needs
 * one adds the first passkey only, and none where recovery codes are its second factor.
 */
export async function addPasskey(session: Session, name: string, answer: string) {
  const { account, sessionId, needsSecondFactor } = session;
  const { companyId, accountId } = account;
  const [response, party] = [readAnswer(answer), findRelyingParty()];
  if (!response || !party) return 'wrong-passkey';
  const { checks, take } = expectAnswer(party, account);
  const { verifyRegistrationResponse } = await webAuthn();
  // The library throws for each way in which an answer is wrong.
  const verified = await verifyRegistrationResponse({ response, ...checks, supportedAlgorithmIDs }).catch(() => null);
  if (!verified?.verified || !(await take())) return 'wrong-passkey';
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return withSignedIn(session, async (tx) => {
    const passkeyCount = await countRows(db(tx), passkeys, { companyId, accountId });
    const codeCount = await countRows(db(tx), recoveryCodes, { companyId, accountId });
    if (needsSecondFactor && passkeyCount + codeCount > 0) return 'wrong-passkey';
    if (passkeyCount >= maxPasskeys) return 'too-many';
    const credential = { credentialId: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey) };
    const added = db(tx)
      .insert(passkeys)
      .values({ companyId, accountId, name, ...credential, counter, transports })
      .onConflictDoNothing({ target: passkeys.credentialId })
      .returning({ id: passkeys.id });
    if (!(await hasRows(added))) return 'wrong-passkey';
    await updateRows(db(tx), sessions, { companyId, id: sessionId }, { hasSecondFactor: true });
    await recordAudit(tx, account, 'passkey.add', { name });
    return 'added';
  });
}

/** Removes a passkey. `'needed'`: the last one, without password and identity, or where a second factor is required. */
export async function removePasskey(session: Session, id: number): Promise<'removed' | 'needed' | 'no-such-passkey'> {
  const { account, needsSecondFactor } = session;
  const { companyId, accountId } = account;
  return withSignedIn(session, async (tx) => {
    const isOfAccount = matches(identities, { companyId: accounts.companyId, accountId: accounts.id });
    const identity = db(tx).select({ id: identities.id }).from(identities).where(isOfAccount);
    const isOnlyWay = and(isNull(accounts.passwordHash), not(exists(identity)));
    const isRequired = and(isNotNull(companies.secondFactorFrom), or(accounts.isOwner, accounts.isManager));
    const needed = await db(tx)
      .select({ id: accounts.id })
      .from(accounts)
      .innerJoin(companies, eq(companies.id, accounts.companyId))
      .where(and(byId(accounts, { companyId }, accountId), or(isOnlyWay, isRequired)));
    const own = await listPasskeys(account, tx);
    const passkey = own.find((candidate) => candidate.id === id);
    if (!passkey) return 'no-such-passkey';
    if (needsSecondFactor || (needed.length > 0 && own.length === 1)) return 'needed';
    await deleteRows(db(tx), passkeys, { companyId, id });
    await recordAudit(tx, account, 'passkey.remove', { name: passkey.name });
    return 'removed';
  });
}

type Found = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

async function findPasskey(credentialId: Buffer) {
  const { id, publicKey, counter } = passkeys;
  const [passkey] = await db()
    .select({ id, publicKey, counter, ...versionColumns, isAllowed: maySignIn, isWay: isWayOf(null) })
    .from(passkeys)
    .innerJoin(companies, eq(companies.id, passkeys.companyId))
    .innerJoin(accounts, byId(accounts, passkeys, passkeys.accountId))
    .leftJoin(employees, matches(employees, { companyId: accounts.companyId, accountId: accounts.id }))
    .where(eq(passkeys.credentialId, credentialId));
  return passkey;
}

/**
 * Finds the account of an answer (JSON) to `makeSignInOptions`, which is two factors. `onlyProviderOf`: its company
 * allows one provider only. Strangers at the address do not delay a `browser` that knows the account.
 */
export async function authenticatePasskey(answer: string, address: string, browser: KnownBrowser | null = null) {
  const result = await checkAnswer(answer, address, { browser });
  if (result === 'wrong-passkey' || 'waitSeconds' in result) return result;
  const { companyId, accountId, sessionVersion } = result;
  const account = { companyId, accountId, sessionVersion, hasSecondFactor: true };
  return result.isWay ? account : { onlyProviderOf: account };
}

// Checks an answer, also of a signed-in `account`. Counts failures of it, of a known browser, or of the address.
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
  const { companyId, id, counter } = passkey;
  const used = db()
    .update(passkeys)
    .set({ counter: verified.authenticationInfo.newCounter, usedAt: sql`now()` })
    .where(matches(passkeys, { companyId, id, counter }))
    .returning({ id: passkeys.id });
  return (await hasRows(used)) ? passkey : null;
}

/** Removes passkeys and recovery codes when a link gave a new password: the finder of a lost phone could sign in. */
export async function removeSecondFactors(tx: Transaction, { companyId, accountId }: AccountId): Promise<void> {
  await deleteRows(db(tx), passkeys, { companyId, accountId });
  await deleteRows(db(tx), recoveryCodes, { companyId, accountId });
}

/** Marks a session as re-authenticated, with a second factor, by the answer to `makeProofOptions`. */
export async function provePasskey(session: Session, answer: string, address: string) {
  const checked = await checkAnswer(answer, address, session);
  if (checked === 'wrong-passkey' || 'waitSeconds' in checked) return checked;
  return proveSession(session, { issuer: null, hasSecondFactor: true });
}
