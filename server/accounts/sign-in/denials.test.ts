import { expect, test, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { recordDenial } from '#server/accounts/sign-in/denials.ts';
import { asSubject } from '#server/accounts/sign-in/limits.ts';
import { listAudit } from '#server/audit/list.ts';
import { dismissAlarm, listAlarms } from '#server/keys/alarms.ts';
import type { Account, Manager } from '#server/principals.ts';

const asAccount = ({ companyId, companyName, timeZone, accountId, name }: Manager): Account => ({
  companyId,
  companyName,
  timeZone,
  accountId,
  name,
  username: 'manajer',
  language: null,
});
const denials = async ({ owner }: Company) =>
  (await listAudit(owner, { filter: { action: 'access.deny' } })).entries.map(({ actorId, details }) => [
    actorId,
    details.target,
    details.reason,
  ]);
test('1,000 denials of an account are one audit entry an hour for each target, and one alarm', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const manager = await company.addManager('Manajer Satu');
  const account = asAccount(manager);
  const subject = `denied\n${account.companyId}:${account.accountId}`;
  const flood = (times: number) => {
    for (let at = 0; at < times; at++)
      recordDenial(account, at % 2 ? 'createKeyAction' : `/owner/audit/${at}`, 'no-rights');
  };
  flood(9);
  const settled = (all: number) =>
    vi.waitFor(
      async () => {
        const [row] = await sql()<{ uses: number }[]>`
          select uses from limit_counters where subject = ${asSubject(subject)}`;
        expect(row?.uses).toBe(all);
      },
      { timeout: 60_000 },
    );
  await settled(9);
  expect(await listAlarms(company.owner)).toEqual([]);
  flood(991);
  await settled(1000);
  expect((await denials(company)).toSorted()).toEqual([
    [manager.accountId, '/owner/audit', 'no-rights'],
    [manager.accountId, 'createKeyAction', 'no-rights'],
  ]);
  const source = { accountId: manager.accountId };
  const alarm = { kind: 'denied-requests', source, name: 'Manajer Satu', count: 1000 };
  expect(await listAlarms(company.owner)).toMatchObject([alarm]);
  expect([await denials(other), await listAlarms(other.owner)]).toEqual([[], []]);
  expect(await dismissAlarm(company.owner, 'denied-requests', source)).toBe('dismissed');
  flood(9);
  await settled(1009);
  expect(await listAlarms(company.owner)).toEqual([]);
  await sql()`update limit_counters set ends_at = now() - interval '1 s'
    where subject = ${asSubject(`${subject}\ncreateKeyAction`)}`;
  recordDenial(account, 'createKeyAction', 'rights-ended');
  await settled(1010);
  expect(await denials(company)).toHaveLength(3);
  expect(await listAlarms(company.owner)).toMatchObject([{ ...alarm, count: 1010, title: 'createKeyAction' }]);
});
