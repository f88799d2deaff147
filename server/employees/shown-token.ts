import { hkdfSync, randomBytes } from 'node:crypto';
import { authSecret, cookieSecrets } from '#platform/config/identity.ts';
import { asTypedToken, hashToken } from '#server/accounts/owners/invitation-token.ts';

/** The ways to write a token: to be sent, with 256 bits in base64url, or to be typed from paper, with 99 bits. */
const forms = { sent: (bytes: Buffer) => bytes.subarray(0, 32).toString('base64url'), typed: asTypedToken };

const derive = (secret: string, salt: Buffer) => Buffer.from(hkdfSync('sha256', secret, salt, 'link', 80));

/**
 * Makes a token that can be shown again: it derives from AUTH_SECRET and a random salt, which is stored
 * beside its hash.
 */
export function makeShownToken(form: 'sent' | 'typed'): { token: string; salt: Buffer } {
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
