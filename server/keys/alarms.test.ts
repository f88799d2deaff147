import { expect, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { keyDraft, toEveryone, toOne, writeManualDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { listAudit } from '#server/audit/list.ts';
import { changeAlarmSettings, dismissAlarm, listAlarms, raiseRepeats } from '#server/keys/alarms.ts';
import { revokeKey } from '#server/keys/keys.ts';
import type { Owner } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';
import { type KeyDraft, sendNotification } from '#server/sends/by-key.ts';
import { withdrawRepeats } from '#server/sends/history/changes.ts';

async function makeKey(name: string) {
  const company = await makeCompany();
  const key = await principalOf(await company.newKey(name));
  const { companyId } = key;
  const send = async (title: string, times = 1, to: Pick<KeyDraft, 'recipients'> = toEveryone) => {
    for (let time = 0; time < times; time++) await sendNotification(key, { ...keyDraft, ...to, title }, newRequestId());
    await raiseRepeats([{ companyId, keyId: key.id }]);
  };
  return { ...company, key, send };
}

test('5 broadcasts of one text by a key within a minute raise an alarm; other sends do not', async () => {
  const { owner, key, send, hire } = await makeKey('skrip');
  const { employeeId } = await hire();
  await send('Sama', 4);
  await send('Lain', 4);
  await send('Sama', 5, toOne(employeeId));
  expect(await listAlarms(owner)).toEqual([]);
  await send('Sama');
  const alarm = { kind: 'repeated-broadcast', source: { keyId: key.id }, name: 'skrip', title: 'Sama', standing: 5 };
  expect(await listAlarms(owner)).toMatchObject([{ ...alarm, count: 5, at: expect.any(Date) }]);
  await send('Sama');
  expect(await listAlarms(owner)).toMatchObject([{ count: 6 }]);
});

test('a dismissed alarm is raised again after five sends of a minute; it ends with its key', async ({ other }) => {
  const { owner, key, send } = await makeKey('skrip');
  const dismiss = (who: Owner) => dismissAlarm(who, 'repeated-broadcast', { keyId: key.id });
  await send('Sama', 4);
  await sql()`update notifications set created_at = now() - interval '61 seconds' where company_id = ${owner.companyId}`;
  await send('Sama', 4);
  expect(await listAlarms(owner)).toEqual([]);
  await send('Sama');
  expect([await listAlarms(other.owner), await dismiss(other.owner)]).toEqual([[], 'no-such-alarm']);
  expect([await dismiss(owner), await dismiss(owner)]).toEqual(['dismissed', 'no-such-alarm']);
  await send('Sama', 4);
  expect(await listAlarms(owner)).toEqual([]);
  await send('Sama');
  expect(await listAlarms(owner)).toMatchObject([{ count: 5 }]);
  await revokeKey(owner, key.id);
  expect(await listAlarms(owner)).toEqual([]);
});

test('each alarm can be switched off', async () => {
  const { owner, key, send } = await makeKey('skrip');
  await changeAlarmSettings(owner, { warnOfRepeats: false });
  await send('Sama', 5);
  await changeAlarmSettings(owner, { warnOfRepeats: true });
  expect(await listAlarms(owner)).toEqual([]);
  await sql()`update api_keys set expected_every_minutes = 60, expected_since = now() - interval '2 hours'
    where company_id = ${owner.companyId} and id = ${key.id}`;
  await sql()`update notifications set created_at = now() - interval '61 minutes' where company_id = ${owner.companyId}`;
  expect(await listAlarms(owner)).toMatchObject([{ kind: 'silent-key', everyMinutes: 60 }]);
  await changeAlarmSettings(owner, { warnOfSilence: false });
  expect(await listAlarms(owner)).toEqual([]);
});

test('a key without its expected send raises an alarm until it sends or the owner dismisses it', async () => {
  const { owner, key, send } = await makeKey('cron');
  const expectEvery = (minutes: number | null, since: string) => sql()`
    update api_keys set expected_every_minutes = ${minutes}, expected_since = now() - ${since}::interval
    where company_id = ${owner.companyId} and id = ${key.id}`;
  await expectEvery(60, '59 minutes');
  expect(await listAlarms(owner)).toEqual([]);
  await expectEvery(60, '61 minutes');
  expect(await listAlarms(owner)).toMatchObject([
    { kind: 'silent-key', source: { keyId: key.id }, name: 'cron', everyMinutes: 60, at: null },
  ]);
  expect(await dismissAlarm(owner, 'silent-key', { keyId: key.id })).toBe('dismissed');
  expect(await listAlarms(owner)).toEqual([]);
  await expectEvery(60, '61 minutes');
  await send('Akhirnya');
  expect(await listAlarms(owner)).toEqual([]);
});

test('a person who broadcasts one text by hand raises the alarm too; it can be withdrawn and dismissed', async () => {
  const company = await makeKey('skrip');
  const { owner } = company;
  const manager = await company.addManager('Manajer Satu');
  const write = (title: string) =>
    writeManualDraft({ ...company, owner: { ...manager, kind: 'owner' } }, { ...toEveryone, title });
  for (const title of ['Sama', 'Sama', 'Sama', 'Sama', 'Lain']) await write(title);
  await company.send('Sama', 4);
  await raiseRepeats([manager]);
  expect(await listAlarms(owner)).toEqual([]);
  await write('Sama');
  const source = { accountId: manager.accountId };
  const raised = { kind: 'repeated-broadcast', source, name: 'Manajer Satu', title: 'Sama', count: 5, standing: 5 };
  await vi.waitFor(async () => expect(await listAlarms(owner)).toMatchObject([raised]));
  await company.send('Sama');
  expect(await listAlarms(owner)).toMatchObject([raised, { source: { keyId: company.key.id }, standing: 5 }]);
  expect(await withdrawRepeats(owner, source)).toBe(5);
  expect(await listAlarms(owner)).toMatchObject([{ ...raised, standing: 0 }, { standing: 5 }]);
  expect(await dismissAlarm(owner, 'repeated-broadcast', source)).toBe('dismissed');
  expect(await listAlarms(owner)).toHaveLength(1);
  const [entry] = (await listAudit(owner, { limit: 1 })).entries;
  expect(entry).toMatchObject({ action: 'alarm.dismiss', details: { ...source, name: 'Manajer Satu' } });
});
