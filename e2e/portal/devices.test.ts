import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { type DeviceKeys, makeDeviceKeys, startPushService, sweepAtOnce } from '#e2e/support/browser/push-device.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { ageConfirmation, type Company, makeCompany, password } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { keyDraft, toOne, writeManualDraft } from '#e2e/support/data/sends.ts';
import { requestSignIn, requestSignOut, sessionCookie } from '#e2e/support/http/cookie.ts';
import { changeIdleLimits, endOtherSessions } from '#server/accounts/sessions/sessions.ts';
import { changePassword } from '#server/accounts/sign-in/account.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { addMyself, setEmployeesActive, signOutEmployee } from '#server/employees/employees.ts';
import { acceptLink } from '#server/employees/personal-links.ts';
import { snooze } from '#server/inbox/moves.ts';
import { changePreferences, silence } from '#server/inbox/preferences.ts';
import { markRead } from '#server/inbox/read-state.ts';
import { raiseRepeats } from '#server/keys/alarms.ts';
import type { ApiKey, Employee, Session } from '#server/principals.ts';
import { pushEndedSnoozes } from '#server/push/alarm-pushes.ts';
import { vapidPublicKey } from '#server/push/deliver.ts';
import { addSubscription, type PushPayload } from '#server/push/push.ts';
import { sendNotification } from '#server/sends/by-key.ts';
import { correctNotification, withdrawNotification, withdrawRepeats } from '#server/sends/history/changes.ts';

const url = process.env.SERVICE_URL ?? '';

const { origin, posts, answers, messagesOf, stop } = await startPushService(0, '1');
process.env.PUSH_SERVICES = origin;
process.env.PUSH_CONTACT = 'operator@contoh.test';
afterAll(stop);

type EmployeeSession = Session & { employee: Employee };
type Device = { path: string; cookie: string; session: EmployeeSession; keys: DeviceKeys };

async function sessionOf(cookie: string): Promise<EmployeeSession> {
  const session = await authenticateSession(cookie);
  if (!session?.employee) throw new Error('no session of an employee');
  return { ...session, employee: session.employee };
}

function subscribe(session: EmployeeSession, path: string, { p256dh, auth } = makeDeviceKeys()): Promise<string> {
  return addSubscription(session, { endpoint: origin + path, p256dh, auth });
}

async function addDevice(username: string): Promise<Device> {
  const cookie = await openSessionOf(username);
  const [session, path, keys] = [await sessionOf(cookie), `/${randomUUID()}`, makeDeviceKeys()];
  expect(await subscribe(session, path, keys)).toBe('added');
  return { cookie, session, path, keys };
}

const received = async (device: Device, count: number): Promise<PushPayload[]> => {
  const list = () => messagesOf<PushPayload>(device);
  await vi.waitFor(() => expect(list().length).toBeGreaterThanOrEqual(count), { timeout: 30_000 });
  await sleep(300);
  expect(list()).toHaveLength(count);
  return list();
};

type Staff = { company: Company; key: ApiKey; employee: Employee; username: string; control: Device };

/** A company with an employee, and a colleague whose device receives each broadcast. */
async function makeStaff(): Promise<Staff> {
  const company = await makeCompany();
  const key = await principalOf(await company.newKey());
  const [employee, colleague] = [await company.hire(), await company.hire()];
  const username = await company.giveAccount(employee);
  return { company, key, employee, username, control: await addDevice(await company.giveAccount(colleague)) };
}

/** Sends to everyone and returns how many messages reached the device. */
async function pushesTo({ key, control }: Staff, path: string): Promise<number> {
  const count = (one: string) => posts.filter(({ path }) => path === one).length;
  const [before, controlBefore] = [count(path), count(control.path)];
  const draft = { ...keyDraft, title: 'Gaji November', body: 'Rp 9.999.999', kind: 'gaji' } as const;
  await sendNotification(key, draft, randomUUID());
  await vi.waitFor(() => expect(count(control.path)).toBe(controlBefore + 1), { timeout: 20_000 });
  await sleep(300);
  return count(path) - before;
}

test('a push is encrypted, and signed for a day with the contact of the operator (RFC 8291, 8292)', async () => {
  const staff = await makeStaff();
  await pushesTo(staff, staff.control.path);
  const post = posts.find(({ path }) => path === staff.control.path);
  expect(messagesOf(staff.control)).toMatchObject([{ title: 'Gaji November', silent: false }]);
  expect(post?.body.includes('Gaji')).toBe(false);
  expect(post?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' });
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(post?.headers.authorization ?? '') ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  expect(publicKey).toBe(vapidPublicKey());
  const raw = Buffer.from(publicKey, 'base64url');
  const point = { x: raw.subarray(1, 33).toString('base64url'), y: raw.subarray(33).toString('base64url') };
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', ...point }, format: 'jwk' });
  const signed = Buffer.from(`${header}.${claims}`);
  const isSigned = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  expect(isSigned).toBe(true);
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  expect({ aud, sub }).toEqual({ aud: origin, sub: 'mailto:operator@contoh.test' });
  expect(exp - Date.now() / 1000).toBeLessThanOrEqual(86_400);
});

test('a push leaves out hidden texts, is silent for muted kinds, and has titles without a provider', async () => {
  const { company, employee, username } = await makeStaff();
  const device = await addDevice(username);
  await changePreferences(employee, { mutedKinds: ['timer'] });
  for (const [index, [hours, kind, body, silent]] of (
    [
      [1, 'gaji', null, false],
      [1, 'timer', 'tampak', true],
      [11, 'info', 'tampak', false],
      [13, 'info', null, false],
      [7 * 24 - 1, 'info', null, false],
    ] as const
  ).entries()) {
    await ageConfirmation(company, hours);
    const no = await writeManualDraft(company, { kind, body: 'tampak' });
    expect((await received(device, index + 1)).at(-1)).toMatchObject({ no, title: 'Judul', body, silent });
  }
});

const ends: Record<string, (device: Device, staff: Staff) => Promise<unknown>> = {
  'a sign-out on the page': ({ cookie }) => requestSignOut(url, { cookie }),
  'its expiry': ({ session }) =>
    sql()`update sessions set expires_at = now() where company_id = ${session.account.companyId} and id = ${session.sessionId}`,
  'the time without activity that the owner chose': async ({ session }, { company: { owner } }) => {
    await changeIdleLimits(owner, { managersIdleMinutes: null, employeesIdleMinutes: 480 });
    await sql()`update sessions set seen_at = now() - interval '9 hours'
      where company_id = ${owner.companyId} and id = ${session.sessionId}`;
  },
  'the same person in another browser': async ({ session }, { username }) =>
    endOtherSessions(await sessionOf(await openSessionOf(username)), session.sessionId),
  'the owner': (_, { company, employee }) => signOutEmployee(company.owner, employee.employeeId),
  'a new password': ({ session }) => changePassword(session, password, 'sandi baru 12345', randomUUID()),
  'a new password by an invitation': async (_, { company, employee, username }) =>
    acceptLink(await company.invite(employee), username, 'sandi baru 12345'),
  'deactivation, also after activation again': async (_, { company, employee }) => {
    await company.deactivate(employee);
    await company.activate(employee);
  },
  'a sign-in of another person in the same browser': async ({ cookie }, { company }) =>
    requestSignIn(url, await company.giveAccount(await company.hire()), { cookie }),
  'the next sign-in in the same browser': async ({ cookie }, { username }) => requestSignIn(url, username, { cookie }),
};

test.each(Object.entries(ends))('a device receives nothing after its session ended: %s', async (_, end) => {
  const staff = await makeStaff();
  const device = await addDevice(staff.username);
  expect(await pushesTo(staff, device.path)).toBe(1);
  await end(device, staff);
  expect(await authenticateSession(device.cookie)).toBeNull();
  expect(await pushesTo(staff, device.path)).toBe(0);
});

test('the devices of the sessions that stay keep receiving', async () => {
  const staff = await makeStaff();
  const [here, lost] = [await addDevice(staff.username), await addDevice(staff.username)];
  expect(await endOtherSessions(here.session, lost.session.sessionId)).toBe(1);
  expect(await pushesTo(staff, lost.path)).toBe(0);
  expect(await pushesTo(staff, here.path)).toBe(1);
});

test('a browser that subscribes again after a sign-in receives again, for its new person only', async () => {
  const staff = await makeStaff();
  const device = await addDevice(staff.username);
  const response = await requestSignIn(url, staff.username, { cookie: device.cookie });
  expect(await subscribe(await sessionOf(sessionCookie(response)), device.path)).toBe('added');
  expect(await pushesTo(staff, device.path)).toBe(1);
  // Without the cookie of the first person, whose session goes on elsewhere.
  const other = await staff.company.giveAccount(await staff.company.hire());
  expect(await subscribe(await sessionOf(await openSessionOf(other)), device.path)).toBe('added');
  expect(await pushesTo(staff, device.path)).toBe(1);
  const { companyId } = staff.company.owner;
  const owners = await sql()`
    select a.username from push_subscriptions p
    join employees e on e.company_id = p.company_id and e.id = p.employee_id
    join accounts a on a.company_id = e.company_id and a.id = e.account_id
    where p.company_id = ${companyId} and p.endpoint = ${origin + device.path}`;
  expect(owners).toEqual([{ username: other }]);
});

test('after its end a session subscribes no device, and a push that waits is not sent', async () => {
  const staff = await makeStaff();
  const device = await addDevice(staff.username);
  answers.set(device.path, () => 503);
  expect(await pushesTo(staff, device.path)).toBe(1);
  await requestSignOut(url, { cookie: device.cookie });
  expect(await subscribe(device.session, device.path)).toBe('session-ended');
  await sleep(3000);
  expect(posts.filter(({ path }) => path === device.path)).toHaveLength(1);
});

test('an owner who is no longer an employee keeps the session; their devices receive nothing', async () => {
  const staff = await makeStaff();
  const { owner, username } = staff.company;
  const employeeId = Number(await addMyself(owner, 'Pemilik'));
  const device = await addDevice(username);
  expect(await pushesTo(staff, device.path)).toBe(1);
  for (const active of [false, true]) await setEmployeesActive(owner, [employeeId], active);
  expect(await authenticateSession(device.cookie)).not.toBeNull();
  expect(await pushesTo(staff, device.path)).toBe(0);
});

test('a correction and a withdrawal reach the devices that got the send, silently, or not in quiet', async () => {
  const { company, employee, username, control } = await makeStaff();
  const [device, stranger] = [await addDevice(username), (await makeStaff()).control];
  const { owner } = company;
  const draft = { title: 'Rapat jam 8', body: 'Di gudang', ...toOne(employee.employeeId) };
  const no = await writeManualDraft(company, draft);
  await received(device, 1);
  const correction = { title: 'Rapat *jam 9*', body: 'Di _toko_', url: null };
  expect(await correctNotification(await company.addManager('Manajer'), no, correction)).toBe('corrected');
  const push = { no, title: 'Rapat jam 9', body: 'Di toko', corrected: true, correctedBy: 'Manajer', silent: true };
  expect((await received(device, 2))[1]).toMatchObject(push);
  // Who wants quiet gets neither a send nor a correction.
  await silence(employee, 60);
  const quietly = await writeManualDraft(company, { title: 'Saat tenang' });
  await received(control, 1);
  await correctNotification(owner, quietly, correction);
  // A withdrawal only closes, so it reaches them too.
  expect(await withdrawNotification(owner, no)).toBe('withdrawn');
  const [, , withdrawal] = await received(device, 3);
  expect(withdrawal).toMatchObject({ no, withdrawn: [no], title: 'Pesan ditarik', silent: true });
  expect(JSON.stringify(withdrawal)).not.toMatch(/Rapat|gudang|toko/);
  // A colleague gets what was sent to all, another company nothing.
  expect(await received(control, 2)).toMatchObject([{ title: 'Saat tenang' }, { title: 'Rapat jam 9' }]);
  expect(messagesOf(stranger)).toEqual([]);
});

test('what waits for a busy push service goes with its newest text, or not at all', async () => {
  const { company, username, control } = await makeStaff();
  const device = await addDevice(username);
  let isBusy = true;
  answers.set(device.path, () => (isBusy ? 503 : 201));
  const waiting = () => posts.filter(({ path }) => path === device.path).length;
  const no = await writeManualDraft(company, { title: 'Rapat jam 8' });
  await vi.waitFor(() => expect(waiting()).toBe(1), { timeout: 20_000 });
  await correctNotification(company.owner, no, { title: 'Rapat jam 9', body: 'Isi', url: null });
  isBusy = false;
  const titles = (await received(device, 2)).map(({ title }) => title);
  expect(titles).toEqual(['Rapat jam 9', 'Rapat jam 9']);
  isBusy = true;
  const before = waiting();
  const second = await writeManualDraft(company, { title: 'Salah kirim' });
  await vi.waitFor(() => expect(waiting()).toBeGreaterThan(before), { timeout: 20_000 });
  await withdrawNotification(company.owner, second);
  isBusy = false;
  await vi.waitFor(() => expect(messagesOf<PushPayload>(control).at(-1)?.withdrawn).toEqual([second]), {
    timeout: 20_000,
  });
  expect((await received(device, 3))[2]?.withdrawn).toEqual([second]);
});

test('the withdrawal of all repeats of a key is one message for a device', async () => {
  const staff = await makeStaff();
  const device = await addDevice(staff.username);
  for (let sent = 1; sent <= 5; sent++) await pushesTo(staff, device.path);
  await raiseRepeats([{ companyId: staff.key.companyId, keyId: staff.key.id }]);
  expect(await withdrawRepeats(staff.company.owner, { keyId: staff.key.id })).toBe(5);
  const messages = await received(device, 6);
  expect(messages[5]?.withdrawn).toEqual(messages.slice(0, 5).map(({ no }) => no));
});

const pushEndedSnoozesOnce = () => sweepAtOnce(pushEndedSnoozes);

const sweepUntil = (holds: () => unknown) =>
  vi.waitFor(
    async () => {
      await pushEndedSnoozesOnce();
      await holds();
    },
    { timeout: 30_000, interval: 500 },
  );

const endSnoozes = ({ companyId, employeeId }: Employee) => sql()`
  update receipts set snoozed_until = now() - interval '1 second', snooze_push_at = now() - interval '1 second'
  where company_id = ${companyId} and employee_id = ${employeeId} and snoozed_until is not null`;

test('when a snooze ends, the devices of its person get one push, and nobody else', async () => {
  const { company, employee, username, control } = await makeStaff();
  const device = await addDevice(username);
  const [no, read, again] = [1, 2, 3];
  for (const _ of [no, read, again]) await writeManualDraft(company);
  await received(device, 3);
  for (const one of [no, read, again]) expect(await snooze(employee, one, 'hour')).toMatchObject({ back: false });
  await pushEndedSnoozesOnce();
  await received(device, 3);
  await endSnoozes(employee);
  // A notification that was read or snoozed again meanwhile gets no push.
  expect(await markRead(employee, read, true)).toBe('marked');
  expect(await snooze(employee, again, 'hour')).toMatchObject({ until: expect.any(Date) });
  await sweepUntil(() => expect(messagesOf(device)).toHaveLength(4));
  await pushEndedSnoozesOnce();
  expect((await received(device, 4))[3]).toMatchObject({ no, back: true, silent: false });
  await received(control, 3);
});

test('a push at the end of a snooze survives the death of its process, and quiet hours hold', async () => {
  const { company, employee, username } = await makeStaff();
  const device = await addDevice(username);
  const no = await writeManualDraft(company);
  await received(device, 1);
  await snooze(employee, no, 'hour');
  // The rows after a process took the snooze and died.
  await sql()`
    update receipts set snoozed_until = now() - interval '10 minutes', snooze_push_at = now() + interval '1 second'
    where company_id = ${employee.companyId} and employee_id = ${employee.employeeId}`;
  await sweepUntil(() => expect(messagesOf(device)).toHaveLength(2));
  await snooze(employee, no, 'hour');
  await silence(employee, 60);
  await endSnoozes(employee);
  await sweepUntil(async () => {
    const [row] = await sql()`select snooze_push_at from receipts
      where company_id = ${employee.companyId} and employee_id = ${employee.employeeId} and no = ${no}`;
    expect(row).toEqual({ snooze_push_at: null });
  });
  await received(device, 2);
});
