import { createHmac, timingSafeEqual } from 'node:crypto';
import { authSecret } from '#server/env.ts';

const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The set-up code, such as `K7QM-2XWT-9DHP`: the server logs it, and the first visitor of `/setup`
 * enters it. It is derived from AUTH_SECRET, so every process has the same code and none is stored.
 */
export function setupCode(): string {
  const digest = createHmac('sha256', authSecret()).update('set-up code').digest();
  const letters = [...digest.subarray(0, 12)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** Whether a text is the set-up code; case, spaces and dashes do not matter. */
export function isSetupCode(text: string): boolean {
  const plain = (code: string) => Buffer.from(code.toUpperCase().replace(/[^0-9A-Z]/g, ''));
  const received = plain(text);
  const expected = plain(setupCode());
  return received.length === expected.length && timingSafeEqual(received, expected);
}
