import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSecrets } from '#e2e/runner/secrets.ts';
import { generateKey } from '#server/keys/keys.ts';

const key = generateKey();
const unknownKey = generateKey();
const token = randomBytes(32).toString('base64url');
const passphrase = `kata sandi rahasia ${randomBytes(4).toString('hex')}`;

// The planted secrets, in the form of each place.
const places: Record<string, string> = {
  'a key in a line of a log': `{"level":30,"key":"${key}"}`,
  'a key without its prefix': `fingerprint of ${key.slice(4)}`,
  'a key in base64 inside something else': Buffer.from(`x{"Authorization":"Bearer ${key}"}`).toString('base64'),
  'a key in hex, as a table of bytes is dumped': `1\t\\\\x${Buffer.from(key).toString('hex')}\t`,
  'a key that nobody registered': `X-API-Key: ${unknownKey}`,
  'a token of an invitation in an address': `GET /invite/${token} 200`,
  'a password in a form': new URLSearchParams({ password: passphrase }).toString(),
  'a password in an address': `/login?password=${encodeURIComponent(passphrase)}`,
  'a cookie of a session': 'next-auth.session-token=eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..abcdefghij_KLMNOPQRST.uvw',
};

async function search(text: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-secrets-'));
  try {
    await mkdir(join(folder, 'seen'));
    await writeFile(join(folder, 'seen', 'one.txt'), `before\n${text}\nafter`);
    await writeFile(
      join(folder, 'secrets'),
      [key, token, passphrase].map((one) => `${JSON.stringify(one)}\n`).join(''),
    );
    return (await findSecrets(join(folder, 'secrets'), [join(folder, 'seen')])).length;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.each(Object.entries(places))('the secret search finds %s (T6)', async (_, text) => {
  expect(await search(text)).toBeGreaterThan(0);
});
