import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, vi } from 'vitest';
import { inTransaction, sql } from '#db/client.ts';
import { alarmPushPort, makeDeviceKeys, startPushService, sweepAtOnce } from '#e2e/support/browser/push-device.ts';
import { makeKey } from '#e2e/support/data/calls.ts';
import { ageConfirmation, type Company, makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { requestSignOut } from '#e2e/support/http/cookie.ts';
import { baseUrl, sendTo } from '#e2e/support/http/interface.ts';
import { removeOwner } from '#server/accounts/owners/owners.ts';
import { changeIdleLimits } from '#server/accounts/sessions/sessions.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { changeAlarmSettings, dismissAlarm, listAlarms } from '#server/keys/alarms.ts';
import { editKey } from '#server/keys/keys.ts';
import { pushAlarms } from '#server/push/alarm-pushes.ts';
import {
  addOwnerDevice,
  addPending,
  listOwnerDevices,
  type OwnerSession,
  removeOwnerDevice,
  testOwnerDevice,
} from '#server/push/owner-devices.ts';

// The service under test sweeps the same database every 10 s. So at least two processes look for alarms here.

type Message = { title: string; body: string; alarm: string; tag: string; language: string };

const { origin, posts, answers, messagesOf, stop } = await startPushService(alarmPushPort);
process.env.PUSH_SERVICES = origin;
afterAll(stop);

type Device = { path: string; cookie: string; session: OwnerSession; keys: ReturnType<typeof makeDeviceKeys> };

async function addDevice(username: string): Promise<Device> {
  const cookie = await openSessionOf(username);
  const session = await authenticateSession(cookie);
  if (!session?.owner) throw new Error('no session of an owner');
  const [keys, path] = [makeDeviceKeys(), `/${randomUUID()}`];
  const owners = { sessionId: session.sessionId, owner: session.owner };
  const { p256dh, auth } = keys;
  expect(await addOwnerDevice(owners, { endpoint: origin + path, p256dh, auth }, 'asked')).toBe('added');
  return { cookie, session: owners, path, keys };
}

const sweep = () => sweepAtOnce(pushAlarms);

/** Sweeps until the device has `count` messages, and once more. */
async function expectMessages(device: Device, count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      await sweep();
      expect(messagesOf(device).length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 60_000, interval: 500 },
  );
  await sweep();
  await sleep(300);
  expect(messagesOf(device)).toHaveLength(count);
}

/** A company with a key that sends one text about money to everyone again and again, over HTTP. */
async function makeCaller() {
  const company = await makeCompany();
  await company.hire();
  const { text, key } = await makeKey(company, 'Kasir');
  const fields = { judul: 'Gaji Rp 9.999.999', isi: 'rahasia', jenis: 'gaji' };
  const repeat = async (times = 5) => {
    for (let time = 0; time < times; time++) expect((await sendTo(baseUrl, text, fields)).status).toBe(200);
  };
  return { company, keyId: key.id, repeat };
}

const passAnHour = ({ owner: { companyId } }: Company) =>
  Promise.all([
    sql()`update alarms set last_at = last_at - interval '61 minutes', pushed_at = pushed_at - interval '61 minutes'
      where company_id = ${companyId}`,
    sql()`update companies set guessing_pushed_at = guessing_pushed_at - interval '61 minutes' where id = ${companyId}`,
  ]);

test('a repeated text reaches each device of each owner once, in their language, within a minute', async () => {
  const { company, repeat } = await makeCaller();
  const [device, second] = [await addDevice(company.username), await addDevice(company.username)];
  const stranger = await addDevice((await makeCompany()).username);
  await sql()`update accounts set language = 'en' where company_id = ${company.owner.companyId}`;
  await repeat();
  // The service sweeps by itself.
  await vi.waitFor(() => expect(messagesOf(device)).toHaveLength(1), { timeout: 60_000, interval: 100 });
  await expectMessages(device, 1);
  const alarm = { alarm: 'repeated-broadcast', title: 'The same text to everyone, 5 times', language: 'en' };
  const tag = expect.stringMatching(/^alarm-repeated-broadcast-\d+$/);
  expect(messagesOf(device)).toEqual([{ ...alarm, tag, body: 'From “Kasir”. Tap to look and to stop it.' }]);
  expect(messagesOf(second)).toEqual(messagesOf(device));
  expect(JSON.stringify(messagesOf(device))).not.toMatch(/Gaji|9\.999|rahasia/);
  expect(messagesOf(stranger)).toEqual([]);
});

test('an alarm that grows is pushed again an hour later with its count, and never after its dismissal', async () => {
  const { company, keyId, repeat } = await makeCaller();
  const device = await addDevice(company.username);
  const countOpen = async () => (await listAlarms(company.owner))[0];
  await repeat();
  await expectMessages(device, 1);
  await repeat(3);
  await vi.waitFor(async () => expect(await countOpen()).toMatchObject({ count: 8 }), { timeout: 20_000 });
  await expectMessages(device, 1);
  await passAnHour(company);
  await expectMessages(device, 2);
  const [first, again] = messagesOf<Message>(device);
  expect(again).toMatchObject({ tag: first?.tag, title: 'Teks yang sama 8 kali ke semua orang' });
  await passAnHour(company);
  await expectMessages(device, 2);
  await repeat(1);
  await vi.waitFor(async () => expect(await countOpen()).toMatchObject({ count: 9 }), { timeout: 20_000 });
  expect(await dismissAlarm(company.owner, 'repeated-broadcast', { keyId })).toBe('dismissed');
  await passAnHour(company);
  await expectMessages(device, 2);
});

test('each silence of a key is pushed once; a dismissed, expired or switched off one is not', async () => {
  const { company, keyId, repeat } = await makeCaller();
  const { companyId } = company.owner;
  const device = await addDevice(company.username);
  const edit = (expectedEveryMinutes: number) => editKey(company.owner, keyId, { expectedEveryMinutes });
  const pass = async () => {
    await sql()`update api_keys set expected_since = expected_since - interval '61 minutes',
      silent_since = silent_since - interval '61 minutes', silence_check_at = silence_check_at - interval '61 minutes' where company_id = ${companyId}`;
    await sql()`update notifications set created_at = created_at - interval '61 minutes' where company_id = ${companyId}`;
  };
  await edit(60);
  await expectMessages(device, 0);
  await pass();
  await expectMessages(device, 1);
  expect(messagesOf(device)).toMatchObject([
    { alarm: 'silent-key', title: 'Tidak ada pesan dari kunci “Kasir”', language: 'id' },
  ]);
  // The same silence goes on.
  await pass();
  await expectMessages(device, 1);
  // A send ends it. The next silence is another one.
  await repeat(1);
  await expectMessages(device, 1);
  await pass();
  await expectMessages(device, 2);
  expect(await dismissAlarm(company.owner, 'silent-key', { keyId })).toBe('dismissed');
  await expectMessages(device, 2);
  await changeAlarmSettings(company.owner, { warnOfSilence: false });
  await pass();
  await expectMessages(device, 2);
  await changeAlarmSettings(company.owner, { warnOfSilence: true });
  await expectMessages(device, 3);
  // A shorter interval counts from the change.
  await edit(30);
  await expectMessages(device, 3);
  await pass();
  await expectMessages(device, 4);
  await sql()`update api_keys set expires_at = now() where company_id = ${companyId}`;
  await edit(60);
  await pass();
  await expectMessages(device, 4);
});

test('guessed passwords are pushed once, and once more when it goes on after an hour', async () => {
  const { company } = await makeCaller();
  const device = await addDevice(company.username);
  const { companyId, accountId } = company.owner;
  const fail = (failures: number) => sql()`
    insert into failed_sign_ins as g (company_id, account_id, source, failures)
    values (${companyId}, ${accountId}, 'x', ${failures})
    on conflict (company_id, account_id, source) do update
      set failures = g.failures + excluded.failures, last_at = clock_timestamp()`;
  await fail(19);
  await expectMessages(device, 0);
  await fail(1);
  await expectMessages(device, 1);
  await fail(30);
  await expectMessages(device, 1);
  await passAnHour(company);
  await expectMessages(device, 2);
  const alarm = { alarm: 'guessing', tag: 'alarm-guessing', title: 'Ada yang menebak kata sandi', language: 'id' };
  const bodies = [20, 50].map((count) => `${count} kata sandi salah dalam waktu singkat. Ketuk untuk melihat.`);
  expect(messagesOf(device)).toEqual(bodies.map((body) => ({ ...alarm, body })));
});

const ends: Record<string, (device: Device, company: Company) => Promise<unknown>> = {
  'a sign-out': ({ cookie }) => requestSignOut(baseUrl, { cookie }),
  'the expiry of the session': ({ session }) =>
    sql()`update sessions set expires_at = now()
      where company_id = ${session.owner.companyId} and id = ${session.sessionId}`,
  'seven days without a word of the provider': (_, company) => ageConfirmation(company, 7 * 24 + 1),
  'the time without activity': async ({ session: { owner, sessionId } }) => {
    await changeIdleLimits(owner, { managersIdleMinutes: 15, employeesIdleMinutes: null });
    await sql()`update sessions set seen_at = now() - interval '16 minutes'
      where company_id = ${owner.companyId} and id = ${sessionId}`;
  },
  'the removal from the list': async ({ session }) => {
    const [listed] = await listOwnerDevices(session);
    expect(await removeOwnerDevice(session.owner, listed?.id ?? '')).toBe('removed');
  },
  'the end of the ownership': async ({ session: { owner } }) => {
    const [second] = await sql()<{ id: number }[]>`
      insert into accounts (company_id, username, name, password_hash, is_owner)
      values (${owner.companyId}, ${`pemilik-${randomUUID()}`}, 'Pemilik Kedua', 'x', true) returning id`;
    expect(await removeOwner({ ...owner, accountId: second?.id ?? 0 }, owner.accountId)).toBe('removed');
  },
  'a role of the account without alarms': ({ session: { owner } }) =>
    sql()`update accounts set is_owner = false, is_manager = true
      where company_id = ${owner.companyId} and id = ${owner.accountId}`,
};

test.each(Object.entries(ends))('a device gets no alarm after %s', async (_, end) => {
  const { company, repeat } = await makeCaller();
  const device = await addDevice(company.username);
  await end(device, company);
  await repeat();
  await vi.waitFor(async () => expect(await listAlarms(company.owner)).toHaveLength(1), { timeout: 20_000 });
  await expectMessages(device, 0);
});

test('an owner tests and removes own devices only, of known push services, audited', async ({ company, other }) => {
  const [device, strange] = [await addDevice(company.username), await addDevice(other.username)];
  const [listed] = await listOwnerDevices(device.session);
  const [theirs] = await listOwnerDevices(strange.session);
  expect(await listOwnerDevices(device.session)).toEqual([
    { id: listed?.id, client: expect.any(String), since: expect.any(Date), isHere: true },
  ]);
  const { owner } = company;
  const internal = { endpoint: 'http://169.254.169.254/latest', ...device.keys };
  expect(await addOwnerDevice(device.session, internal, 'asked')).toBe('unknown-service');
  expect(await testOwnerDevice(owner, listed?.id ?? '')).toBe('delivered');
  expect(messagesOf(device)).toMatchObject([{ alarm: 'test', title: 'Percobaan peringatan' }]);
  expect(await testOwnerDevice(owner, theirs?.id ?? '')).toBe('no-such-device');
  expect(await removeOwnerDevice(owner, theirs?.id ?? '')).toBe('no-such-device');
  expect(await removeOwnerDevice(owner, listed?.id ?? '')).toBe('removed');
  expect(await removeOwnerDevice(owner, listed?.id ?? '')).toBe('no-such-device');
  expect(messagesOf(strange)).toEqual([]);
  const entries = await sql()<{ action: string }[]>`
    select action from audit_log where company_id = ${owner.companyId} and action like 'alarm.%' order by id`;
  expect(entries.map(({ action }) => action)).toEqual(['alarm.add-device', 'alarm.remove-device']);
});

const afterMinutes = (minutes: number, { owner: { companyId } }: Company) => sql()`
  update owner_devices set retry_at = retry_at - ${minutes} * interval '1 minute' where company_id = ${companyId}`;

/** Sweeps until this is what waits for the devices of the company, those with something first. */
const expectWaiting = ({ owner: { companyId } }: Company, ...wanted: { tags: unknown[]; minutes?: number | null }[]) =>
  vi.waitFor(
    async () => {
      await sweep();
      const rows = await sql()`
        select array(select jsonb_object_keys(pending)) as tags,
          ceil(extract(epoch from retry_at - now()) / 60)::int as minutes
        from owner_devices where company_id = ${companyId} order by pending <> '{}' desc`;
      expect(rows).toMatchObject(wanted);
    },
    { timeout: 20_000, interval: 500 },
  );

// A sweep stores this in the transaction that takes the alarm, before it posts anything.
const storeSilence = ({ owner: { companyId } }: Company, keyId: number) =>
  inTransaction((tx) => addPending(tx, { kind: 'silent-key', companyId, source: { keyId }, name: 'Kasir' }));

test('an alarm that a push service refuses is tried again until it arrives, on that device only', async () => {
  const { company, repeat } = await makeCaller();
  const [busy, free] = [await addDevice(company.username), await addDevice(company.username)];
  answers.set(busy.path, () => 503);
  await repeat();
  await expectMessages(free, 1);
  const tries = () => posts.filter(({ path }) => path === busy.path).length;
  // Up to three attempts at once, then pauses.
  await vi.waitFor(() => expect(tries()).toBe(3), { timeout: 60_000 });
  await expectWaiting(company, { tags: [expect.any(String)] }, { tags: [] });
  await sweep();
  expect(tries()).toBe(3);
  answers.delete(busy.path);
  await afterMinutes(6, company);
  await expectMessages(busy, 1);
  await expectWaiting(company, { tags: [], minutes: null }, { tags: [], minutes: null });
  await afterMinutes(600, company);
  await expectMessages(free, 1);
});

test('an alarm whose process dies is pushed by another one, also 13 hours after a provider confirmed', async () => {
  const { company, keyId } = await makeCaller();
  const device = await addDevice(company.username);
  await ageConfirmation(company, 13);
  await storeSilence(company, keyId);
  await expectMessages(device, 0);
  await afterMinutes(6, company);
  await expectMessages(device, 1);
});

test('an alarm that waits for a push service is given up after its last retry, or at its dismissal', async () => {
  const { company, keyId } = await makeCaller();
  const device = await addDevice(company.username);
  await storeSilence(company, keyId);
  await sql()`update owner_devices set retries = 5, retry_at = now() where company_id = ${company.owner.companyId}`;
  answers.set(device.path, () => 503);
  await expectWaiting(company, { tags: [`alarm-silent-key-${keyId}`], minutes: 60 });
  await afterMinutes(61, company);
  const tries = () => posts.filter(({ path }) => path === device.path).length;
  await expectWaiting(company, { tags: [], minutes: null });
  answers.delete(device.path);
  const before = tries();
  await storeSilence(company, keyId);
  await editKey(company.owner, keyId, { expectedEveryMinutes: 60 });
  expect(await dismissAlarm(company.owner, 'silent-key', { keyId })).toBe('dismissed');
  await afterMinutes(600, company);
  await sweep();
  expect(tries()).toBe(before);
});
