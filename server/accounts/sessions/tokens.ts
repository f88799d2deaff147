import { createHash, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import { authSecret, cookieSecrets } from '#platform/config/identity.ts';

export const invitationDays = 7;

// Letters and digits without look-alikes, in groups of 5 with 25 bits: 4 in a link, 5 in a recovery code.
const typedAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const typedPattern = /^[a-z2-9]{5}(?:-[a-z2-9]{5}){3,4}$/i;
const tokenPattern = /^[0-9A-Za-z_-]{43}$/;

// Each letter has 32 bits of its own, so that all are as likely.
const asLetter = (bytes: Buffer, index: number) => typedAlphabet[bytes.readUInt32BE(4 * index) % typedAlphabet.length];

// Writes bytes, 20 for each of the `groups`, as a token that may be typed from paper.
const asTypedToken = (bytes: Buffer, groups = 4): string =>
  Array.from({ length: groups * 5 }, (_, index) => (index % 5 || !index ? '' : '-') + asLetter(bytes, index)).join('');

/** Random letters and digits that a person types: 31 kinds, without look-alikes. */
export const generateTyped = (length: number): string =>
  Array.from({ length }, () => typedAlphabet[randomInt(typedAlphabet.length)]).join('');

/** A random token for a link that is sent: 256 bits in base64url. */
export const generateToken = (): string => randomBytes(32).toString('base64url');

/** A random recovery code that may be typed from paper: 124 bits. */
export const generateRecoveryCode = (): string => asTypedToken(randomBytes(100), 5);

export const isInvitationToken = (text: string): boolean => tokenPattern.test(text) || typedPattern.test(text);

/** SHA-256 of a token; only this is stored. Phones capitalise, so a typed one is lower-cased. */
export function hashToken(token: string): Buffer {
  return createHash('sha256')
    .update(typedPattern.test(token) ? token.toLowerCase() : token)
    .digest();
}

/** The ways to write a token: to be sent, with 256 bits in base64url, or to be typed from paper, with 99 bits. */
const forms = { sent: (bytes: Buffer) => bytes.subarray(0, 32).toString('base64url'), typed: asTypedToken };

const derive = (secret: string, salt: Buffer) => Buffer.from(hkdfSync('sha256', secret, salt, 'link', 80));

/** Makes a token that can be shown again: it derives from AUTH_SECRET and a random salt, stored beside its hash. */
export function makeShownToken(form: keyof typeof forms): { token: string; salt: Buffer } {
  const salt = randomBytes(16);
  return { token: forms[form](derive(authSecret(), salt)), salt };
}

/** What is stored of a token. One that was random has no salt. */
export type StoredToken = { hash: Buffer; salt: Buffer | null };

/** The token of a stored one, or null: it was random, or AUTH_SECRET has changed since. */
export function findShownToken({ hash, salt }: StoredToken): string | null {
  const bytes = salt ? cookieSecrets().map((secret) => derive(secret, salt)) : [];
  const tokens = bytes.flatMap((each) => [forms.sent(each), forms.typed(each)]);
  return tokens.find((token) => hashToken(token).equals(hash)) ?? null;
}
