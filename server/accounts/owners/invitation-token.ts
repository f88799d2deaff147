import { createHash, randomBytes } from 'node:crypto';

export const invitationDays = 7;

// Letters and digits without look-alikes, in groups of 5 with 25 bits: 4 in a link, 5 in a recovery code.
const typedAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const typedPattern = /^[a-z2-9]{5}(?:-[a-z2-9]{5}){3,4}$/i;
const tokenPattern = /^[0-9A-Za-z_-]{43}$/;

// Each letter has 32 bits of its own, so that all are as likely.
const asLetter = (bytes: Buffer, index: number) => typedAlphabet[bytes.readUInt32BE(4 * index) % typedAlphabet.length];

/** Writes bytes, 20 for each of the `groups`, as a token that may be typed from paper. */
export const asTypedToken = (bytes: Buffer, groups = 4): string =>
  Array.from({ length: groups * 5 }, (_, index) => (index % 5 || !index ? '' : '-') + asLetter(bytes, index)).join('');

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
