import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { sql } from '#db/client.ts';
import {
  requestNextAuth,
  requestSignIn,
  requestSignOut,
  sessionCookie,
  signInForCookie,
} from '#e2e/fixtures/cookie.ts';
import { type Company, makeCompany, password } from '#harness/company.ts';
import { changePassword } from '#server/accounts/account.ts';
import { authenticateSession } from '#server/accounts/authenticate.ts';
import { endOtherSessions } from '#server/accounts/sessions.ts';
import { addMyself, setEmployeeActive, signOutEmployee } from '#server/employees/employees.ts';
import { acceptInvitation } from '#server/employees/invitations.ts';
import { authenticateKey, fingerprintOf } from '#server/keys/keys.ts';
import type { ApiKey, Employee, Session } from '#server/principals.ts';
import { addSubscription } from '#server/push/push.ts';
import { sendNotification } from '#server/sends/send.ts';

const url = process.env.SERVICE_URL ?? '';

// The push service of this file: it keeps the path of each message, and answers as `answers` says.
const posts: string[] = [];
const answers = new Map<string, () => number>();
const pushService = createServer((request, response) => {
  const path = request.url ?? '';
  posts.push(path);
  const status = answers.get(path)?.() ?? 201;
  request.resume().on('end', () => response.writeHead(status, status === 503 ? { 'retry-after': '1' } : {}).end());
});
await new Promise<void>((resolve) => pushService.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`;
process.env.PUSH_SERVICES = origin;
afterAll(() => {
  pushService.closeAllConnections();
  pushService.close();
});

type EmployeeSession = Session & { employee: Employee };
type Device = { path: string; cookie: string; session: EmployeeSession };

async function sessionOf(cookie: string): Promise<EmployeeSession> {
  const session = await authenticateSession(cookie);
  if (!session?.employee) throw new Error('no session of an employee');
  return { ...session, employee: session.employee };
}

async function subscribe(session: EmployeeSession, path: string): Promise<string> {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const [p256dh, auth] = [keys.getPublicKey('base64url'), randomBytes(16).toString('base64url')];
  return addSubscription(session, { endpoint: origin + path, p256dh, auth });
}

async function addDevice(username: string): Promise<Device> {
  const cookie = await signInForCookie(url, username);
  const [session, path] = [await sessionOf(cookie), `/${randomUUID()}`];
  expect(await subscribe(session, path)).toBe('added');
  return { cookie, session, path };
}

type Staff = { company: Company; key: ApiKey; employee: Employee; username: string; control: Device };

/** A company with an employee, and a colleague whose device receives each broadcast. */
async function makeStaff(): Promise<Staff> {
  const company = await makeCompany();
  const key = await authenticateKey(fingerprintOf(await company.newKey()));
  if (!key) throw new Error('the key does not exist');
  const [employee, colleague] = [await company.hire(), await company.hire()];
  const username = await company.giveAccount(employee);
  return { company, key, employee, username, control: await addDevice(await company.giveAccount(colleague)) };
}

/** Sends to everyone and returns how many messages reached the device. */
async function pushesTo({ key, control }: Staff, path: string): Promise<number> {
  const count = (one: string) => posts.filter((post) => post === one).length;
  const [before, controlBefore] = [count(path), count(control.path)];
  const draft = { recipientId: 0, title: 'Gaji November', body: 'Rp 9.999.999', kind: 'gaji', url: null } as const;
  await sendNotification(key, draft, randomUUID());
  await vi.waitFor(() => expect(count(control.path)).toBe(controlBefore + 1), { timeout: 20_000 });
  await sleep(300);
  return count(path) - before;
}

const ends: Record<string, (device: Device, staff: Staff) => Promise<unknown>> = {
  'a sign-out on the page': ({ cookie }) => requestSignOut(url, { cookie }),
  'a sign-out at next-auth’s address': ({ cookie }) => requestNextAuth(url, '/api/auth/signout', {}, { cookie }),
  'its expiry': ({ session }) =>
    sql()`update sessions set expires_at = now() where company_id = ${session.account.companyId} and id = ${session.sessionId}`,
  'the same person in another browser': async ({ session }, { username }) =>
    endOtherSessions(await sessionOf(await signInForCookie(url, username)), session.sessionId),
  'the owner': (_, { company, employee }) => signOutEmployee(company.owner, employee.employeeId),
  'a new password': ({ session }) => changePassword(session.account, password, 'sandi baru 12345', randomUUID()),
  'a new password by an invitation': async (_, { company, employee, username }) =>
    acceptInvitation(await company.invite(employee), username, 'sandi baru 12345'),
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
  expect(await subscribe(await sessionOf(await signInForCookie(url, other)), device.path)).toBe('added');
  expect(await pushesTo(staff, device.path)).toBe(1);
  const { companyId } = staff.company.owner;
  const owners = await sql()`
    select a.username from push_subscriptions p
    join employees e on e.company_id = p.company_id and e.id = p.employee_id
    join accounts a on a.company_id = e.company_id and a.id = e.account_id
    where p.company_id = ${companyId} and p.endpoint = ${origin + device.path}`;
  expect(owners).toEqual([{ username: other }]);
});

test('a session that has ended cannot subscribe a device', async () => {
  const staff = await makeStaff();
  const device = await addDevice(staff.username);
  await requestSignOut(url, { cookie: device.cookie });
  expect(await subscribe(device.session, device.path)).toBe('session-ended');
  expect(await pushesTo(staff, device.path)).toBe(0);
});

test('a push that waits for a busy push service is not sent after the session ended', async () => {
  const staff = await makeStaff();
  const device = await addDevice(staff.username);
  answers.set(device.path, () => 503);
  expect(await pushesTo(staff, device.path)).toBe(1);
  await requestSignOut(url, { cookie: device.cookie });
  await sleep(3000);
  expect(posts.filter((path) => path === device.path)).toHaveLength(1);
});

test('an owner who is no longer an employee keeps the session; their devices receive nothing', async () => {
  const staff = await makeStaff();
  const { owner, username } = staff.company;
  const employeeId = Number(await addMyself(owner, 'Pemilik'));
  const device = await addDevice(username);
  expect(await pushesTo(staff, device.path)).toBe(1);
  for (const active of [false, true]) await setEmployeeActive(owner, employeeId, active);
  expect(await authenticateSession(device.cookie)).not.toBeNull();
  expect(await pushesTo(staff, device.path)).toBe(0);
});
