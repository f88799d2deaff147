import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { listActiveKeys } from '#server/keys/key-overview.ts';
import { createKey, fingerprintOf, generateKey, isKey, listKeys, revokeKey } from '#server/keys/keys.ts';

test('a key is jss_ and 64 letters or digits, whose checksum finds every single typing mistake', () => {
  const key = generateKey();
  expect(key).toMatch(/^jss_[0-9A-Za-z]{64}$/);
  expect(isKey(key)).toBe(true);
  const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
  const change = fc.tuple(fc.integer({ min: 4, max: 67 }), fc.constantFrom(...alphabet));
  fc.assert(
    fc.property(change, ([at, letter]) => {
      const changed = key.slice(0, at) + letter + key.slice(at + 1);
      return isKey(changed) === (changed === key);
    }),
    { numRuns: 5000 },
  );
});

test('no text but a well-formed key passes', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => !isKey(text) && !isKey(`jss_${text}`)));
});

// Keys of 64 uniformly random letters and digits; bytes from 248 on would make some more likely.
function* guess(howMany: number): Generator<string> {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  for (let made = 0; made < howMany; )
    for (const byte of randomBytes(65_536)) {
      if (byte < 248) text += letters[byte % 62];
      if (text.length < 64) continue;
      yield `jss_${text}`;
      text = '';
      if (++made === howMany) return;
    }
}

test('none of 200,000 random texts in the form of a key has a valid checksum (T11)', () => {
  let keys = 0;
  for (const text of guess(200_000)) if (isKey(text)) keys++;
  expect(keys).toBe(0);
});

test('only the SHA-256 of a key is stored, and lists show its first 8 hex digits (T16)', async () => {
  const company = await makeCompany();
  const key = await company.newKey('satu');
  const [summary] = await listActiveKeys(company.owner);
  expect(summary?.fingerprintStart).toBe(fingerprintOf(key).toString('hex').slice(0, 8));
  const [created] = (await listAudit(company.owner)).entries;
  expect(created?.details.fingerprint).toBe(summary?.fingerprintStart);
  const [row] = await sql()<{ stored: string }[]>`
    select (select string_agg(k::text, ' ') from api_keys k where company_id = ${company.owner.companyId})
      || (select string_agg(a::text, ' ') from audit_log a where company_id = ${company.owner.companyId}) as stored`;
  expect(row?.stored).toContain(fingerprintOf(key).toString('hex'));
  expect(row?.stored).not.toContain(key.slice(4, 20));
});

test("a key's name is unique among the company's active keys, and free after the revocation", async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  await company.newKey('sama');
  expect(await createKey(company.owner, { name: 'sama' })).toBe('duplicate-name');
  expect(await createKey(other.owner, { name: 'sama' })).toHaveProperty('key');
});

test('a company has at most 50 active keys, however many are made at once; revoking makes room', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  for (let made = 0; made < 47; made++) await company.newKey();
  const names = Array.from({ length: 8 }, (_, place) => `serentak ${place}`);
  const outcomes = await Promise.all(names.map((name) => createKey(company.owner, { name })));
  expect(outcomes.filter((outcome) => outcome === 'too-many-keys')).toHaveLength(5);
  const [newest] = await listKeys(company.owner);
  expect(await listKeys(company.owner)).toHaveLength(50);
  expect(await createKey(company.owner, { name: 'pengganti' }, newest?.id ?? 0)).toBe('too-many-keys');
  expect(await createKey(other.owner, { name: 'tetangga' })).toHaveProperty('key');
  await revokeKey(company.owner, newest?.id ?? 0);
  expect(await createKey(company.owner, { name: 'lagi' })).toHaveProperty('key');
});

test('an active key of the company can have one working replacement at a time', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const old = await company.newKey('gaji');
  const { id } = await principalOf(old);
  expect(await createKey(other.owner, { name: 'asing' }, id)).toBe('no-such-key');
  expect(await createKey(company.owner, { name: 'gaji' }, id)).toBe('duplicate-name');
  const made = await createKey(company.owner, { name: 'gaji 2', note: 'untuk cron' }, id);
  if (typeof made === 'string') throw new Error(made);
  expect([(await principalOf(old)).name, (await principalOf(made.key)).name]).toEqual(['gaji', 'gaji 2']);
  expect(await createKey(company.owner, { name: 'gaji 3' }, id)).toBe('already-replaced');
  const [audited] = (await listAudit(company.owner)).entries;
  expect(audited).toMatchObject({
    action: 'key.replace',
    details: { name: 'gaji 2', replaced: 'gaji', replacedId: id },
  });
  await revokeKey(company.owner, made.id);
  expect(await createKey(company.owner, { name: 'gaji 2' }, id)).toHaveProperty('key');
  await revokeKey(company.owner, id);
  expect(await createKey(company.owner, { name: 'gaji 4' }, id)).toBe('no-such-key');
});
