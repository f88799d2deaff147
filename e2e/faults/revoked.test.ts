import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { seedCompany } from '#e2e/faults/seeded-company.ts';
import { SendLog } from '#e2e/faults/send-log.ts';
import { baseUrl } from '#e2e/fixtures/interface.ts';
import { openLine } from '#e2e/fixtures/line.ts';
import { makeCompany } from '#harness/company.ts';
import { recordFigures, rounds } from '#harness/figures.ts';
import { fingerprintOf, revokeKey } from '#server/keys/keys.ts';
import type { Owner } from '#server/principals.ts';

const countOf = async (keyId: number) => {
  const [row] = await sql()<{ count: number }[]>`
    select count(*)::int as count from notifications where key_id = ${keyId}`;
  return row?.count ?? -1;
};

test('no send is committed after its key’s revocation was answered (T7)', async () => {
  const wanted = rounds(24, 1000);
  const atOnce = 4;
  const late: number[] = [];
  let raced = 0;
  let sent = 0;
  const race = async (owner: Owner, company: Awaited<ReturnType<typeof seedCompany>>, key: string) => {
    const [row] = await sql()<{ id: number }[]>`select id from api_keys where fingerprint = ${fingerprintOf(key)}`;
    const keyId = row?.id ?? 0;
    const sendLog = new SendLog();
    const statuses: number[] = [];
    const sender = async () => {
      const line = openLine(baseUrl);
      for (;;) {
        const { status } = await sendLog.attempt(baseUrl, sendLog.plan([{ ...company, keys: [key] }]), line);
        statuses.push(status);
        if (status !== 200) break;
      }
      line.close();
    };
    const sending = Promise.all([sender(), sender(), sender()]);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    expect(await revokeKey(owner, keyId)).toBe('revoked');
    const inTime = await countOf(keyId);
    await sending;
    const after = await countOf(keyId);
    late.push(after - inTime);
    sent += after;
    if (after > 0) raced++;
    const refused = new Set(statuses.filter((status) => status !== 200));
    expect([...refused].filter((status) => status !== 401 && status !== 429)).toEqual([]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(after);
  };
  const each = async () => {
    const { owner } = await makeCompany();
    const company = await seedCompany(sql(), { employees: 20, keys: wanted / atOnce });
    const asOwner = { ...owner, companyId: company.id, accountId: company.ownerId };
    for (const key of company.keys) await race(asOwner, company, key);
  };
  await Promise.all(Array.from({ length: atOnce }, each));
  await recordFigures('T7', { revocations: late.length, withSends: raced, sent, committedAfter: Math.max(...late) });
  expect(late).toHaveLength(wanted);
  expect(late.filter((count) => count !== 0)).toEqual([]);
});
