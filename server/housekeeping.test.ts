import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/fixtures/company.ts';
import { forgetExpired } from '#server/housekeeping.ts';
import { authenticateKey, fingerprintOf } from '#server/keys.ts';
import { sendNotification } from '#server/notifications.ts';

test('what was only kept for a while is forgotten, and what still counts is not', async () => {
  const company = await makeCompany();
  const key = await authenticateKey(fingerprintOf(await company.newKey()));
  if (!key) throw new Error('the key is gone');
  const draft = { recipientId: 0, title: 'x', body: 'y', kind: 'info', url: null } as const;
  for (const idempotencyKey of ['lama', 'baru'])
    await sendNotification(key, draft, 'x', { idempotencyKey, bodyHash: Buffer.alloc(32) });
  await sql()`update idempotency set created_at = now() - interval '26 hours'
    where company_id = ${key.companyId} and idempotency_key = 'lama'`;
  await forgetExpired();
  const left = await sql()`select idempotency_key as name from idempotency where company_id = ${key.companyId}`;
  expect(left.map(({ name }) => name)).toEqual(['baru']);
});
