import { createHash, randomBytes, randomInt } from 'node:crypto';

export const invitationDays = 7;

// Letters and digits without look-alikes, in groups of 5 with 25 bits: 4 in a link, 5 in a recovery code.
const typedAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const typedPattern = /^[a-z2-9]{5}(?:-[a-z2-9]{5}){3,4}$/i;
const tokenPattern = /^[0-9A-Za-z_-]{43}$/;

const makeGroup = () => Array.from({ length: 5 }, () => typedAlphabet[randomInt(typedAlphabet.length)]).join('');

/** A random token for a link that is sent: 256 bits in base64url. */
export const generateToken = (): string => randomBytes(32).toString('base64url');

/** A random token that may be typed from paper: 99 bits for a link, 124 bits in five `groups`. */
export const generateTypedToken = (groups: 4 | 5 = 4): string => Array.from({ length: groups }, makeGroup).join('-');

export const isInvitationToken = (text: string): boolean => tokenPattern.test(text) || typedPattern.test(text);

/** SHA-256 of a token; only this is stored. Phones capitalise, so a typed one is lower-cased. */
export function hashToken(token: string): Buffer {
  return createHash('sha256')
    .update(typedPattern.test(token) ? token.toLowerCase() : token)
    .digest();
}
