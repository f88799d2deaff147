import { createHash, randomBytes, randomInt } from 'node:crypto';

/** How long a link is good. */
export const validDays = 7;

// 20 letters and digits that do not look alike, in groups of 5: 99 bits.
const typed = 'abcdefghjkmnpqrstuvwxyz23456789';
const typedPattern = /^[a-z2-9]{5}(?:-[a-z2-9]{5}){3}$/i;
const tokenPattern = /^[0-9A-Za-z_-]{43}$/;

const makeGroup = () => Array.from({ length: 5 }, () => typed[randomInt(typed.length)]).join('');

/** A token for a link that is sent. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

/** A token for a link that may be typed from paper. */
export const makeTypedToken = (): string => Array.from({ length: 4 }, makeGroup).join('-');

/** Whether a text has the form of either. */
export const isToken = (text: string): boolean => tokenPattern.test(text) || typedPattern.test(text);

/** All that is stored of a token. One that was typed counts in any case: phones write the first letter large. */
export function hashOf(token: string): Buffer {
  return createHash('sha256')
    .update(typedPattern.test(token) ? token.toLowerCase() : token)
    .digest();
}
