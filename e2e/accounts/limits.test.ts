import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany, must, password } from '#e2e/support/data/company.ts';
import { newName, openSessionOf } from '#e2e/support/data/owners.ts';
import { callAction } from '#e2e/support/http/call-action.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { actionNamed } from '#e2e/support/service/build.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { actionOf, actions } from '#e2e/tenancy/actions.ts';
import { missing } from '#e2e/tenancy/full-company.ts';
import { addressGroup } from '#platform/config/ip-address.ts';
import { asSubject, type LimitName, limits, subjectsOf } from '#server/accounts/sign-in/limits.ts';
import { createJoinLink } from '#server/employees/join-requests.ts';

const names = Object.keys(limits) as LimitName[];
const waitOf = (name: LimitName) => 1000 * (names.indexOf(name) + 1);

// Uses up every limit. Each limit has its own waiting time, so an answer tells which limit refused it.
async function useUp(who: Record<string, string | number>): Promise<void> {
  for (const name of names)
    for (const [scope, budget] of Object.entries<object>(limits[name]))
      for (const [window, most] of Object.entries<number>(budget as Record<string, number>))
        if (scope in who)
          await sql()`
            insert into limit_counters (subject, uses, ends_at)
            values (${asSubject([name, scope, window, who[scope]].join('\n'))}, ${most},
              now() + ${waitOf(name)} * interval '1 s')`;
}

const limitOfWait = (seconds: number): LimitName | 'none' => names[Math.ceil(seconds / 1000) - 1] ?? 'none';
const metBy = (text: string | null) => limitOfWait(Number(/"waitSeconds":(\d+)/.exec(text ?? '')?.[1] ?? 0));

const limitedActions: Record<string, string> = {
  bulk: `setEmployeesActiveAction setEmployeeRolesAction createInvitationsAction remindToOpenAction saveImportAction`,
  send: 'sendMessageAction remindOneAction correctSendAction',
  broadcast: 'remindAllAction sendPlanNowAction remindToConnectAction',
  draft: 'saveTemplateAction planMessageAction',
  invitation: 'showInvitationAction addFirstPersonAction inviteOwnerAction createOwnerLinkAction',
  joinLink: 'createJoinLinkAction showJoinLinkAction',
  key: 'createKeyAction',
  export: 'createExportAction',
  testPush: 'testAlarmDeviceAction',
  answer: 'confirmAction',
  none: 'undoHeldSendAction listPossibleRecipientsAction listMatchingAction searchCompanyAction findAccountAction',
};
const wanted = Object.entries(limitedActions).flatMap(([limit, all]) => all.split(/\s+/).map((name) => [name, limit]));

async function makeOwner() {
  const company = await makeCompany();
  return { company, headers: { cookie: await openSessionOf(company.owner), Origin: baseUrl } };
}

test('each action of owners and managers, and an answer, has its limit and says how long to wait', async () => {
  const { company, headers } = await makeOwner();
  const { employeeId } = await company.hire();
  await sql()`update employees set account_id = ${company.owner.accountId}
    where company_id = ${company.owner.companyId} and id = ${employeeId}`;
  await useUp(subjectsOf(company.owner));
  const ofManagement = Object.entries(actions).filter(
    ([name, { guard }]) => name === 'confirmAction' || !['employee', 'everyone'].includes(guard),
  );
  const met = [];
  for (const [name, { args }] of ofManagement) {
    const { result } = await callAction({ headers }, actionOf(name), args(missing));
    met.push([name.split(' ', 1)[0], metBy(result)]);
  }
  const limitOf = Object.fromEntries(wanted);
  expect(met).toEqual(met.map(([name = '']) => [name, limitOf[name] ?? 'change']));
  const called = met.map(([name]) => name);
  expect(Object.keys(limitOf).filter((name) => !called.includes(name))).toEqual([]);
  const [entry] = await sql()`
    select from audit_log where company_id = ${company.owner.companyId} and action not in ('company.create', 'employee.add')`;
  expect(entry).toBeUndefined();
});

test('sends to all, decisions on several, uploads and downloads have limits of their own, and say the wait', async () => {
  const { company, headers } = await makeOwner();
  await useUp(subjectsOf(company.owner));
  const call = async (name: string, changes: object) => {
    const [args] = actions[name]?.args(missing) ?? [];
    return metBy((await callAction({ headers }, actionNamed(name), [{ ...(args as object), ...changes }])).result);
  };
  expect(await call('sendMessageAction', { to: 'everyone' })).toBe('broadcast');
  expect(await call('declineJoinRequestsAction', { ids: [1, 2] })).toBe('bulk');
  const approvals = [1, 2].map((id) => ({ id, name: 'Calon', role: 'Kasir' }));
  expect(await call('approveJoinRequestsAction', { approvals })).toBe('bulk');
  const uploads = {
    '/owner/employees/import/previews': 'application/json',
    '/owner/settings/logo': 'image/png',
    [`/picture/${missing.picture}`]: 'image/jpeg',
  };
  for (const [path, type] of Object.entries(uploads)) {
    const sent = { ...headers, 'Content-Type': type };
    const response = await fetch(baseUrl + path, { method: 'POST', headers: sent, body: '[[1,"Satu","Kasir"]]' });
    expect([path, response.status, metBy(await response.text())]).toEqual([path, 429, 'upload']);
  }
  const csv = ['employees', 'sends', 'audit', 'statistics'].map((page) => `/owner/${page}/csv`);
  for (const path of csv) {
    const response = await fetch(baseUrl + path, { headers: { ...headers, 'Accept-Language': 'en' } });
    expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 429, expect.any(String)]);
    expect(await response.text()).toMatch(/try again in 4 hours\.$/);
  }
});

const newNetwork = () => `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}`;
const newCompany = { companyName: 'PT Pendaftar', timeZone: 'Asia/Jakarta', ownerName: 'Pendaftar' };

async function call(action: string, input: Record<string, string>, address: string) {
  const { result } = await callAction({ headers: { 'x-forwarded-for': address } }, actionNamed(action), [input]);
  return result;
}

const strangers: Record<string, { scope: 'address' | 'invitation'; action: string }> = {
  joinRequest: { scope: 'address', action: 'requestToJoinAction' },
  nameChoice: { scope: 'invitation', action: 'acceptInvitationAction' },
  signUp: { scope: 'address', action: 'setupAction' },
};

test.each(Object.entries(strangers))('%s of people without a session has a limit', async (limit, { scope, action }) => {
  const company = await makeCompany();
  const link = must(await createJoinLink(company.owner, { role: null, days: 1, maxRequests: 10 }));
  noteSecret(link.token);
  const token = limit === 'nameChoice' ? await company.invite(await company.hire()) : link.token;
  const address = `${newNetwork()}::1`;
  await useUp({ [scope]: scope === 'address' ? addressGroup(address) : token });
  const input = { ...newCompany, name: 'Calon', role: 'Kasir', username: newName(), password, token };
  expect(metBy(await call(action, input, address))).toBe(limit);
});

test('answers of passkeys from one address have a limit', async () => {
  const address = `${newNetwork()}::1`;
  await useUp({ address: addressGroup(address) });
  const response = await fetch(`${baseUrl}/api/auth/sign-in`, {
    method: 'POST',
    headers: { Origin: baseUrl, 'Content-Type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ answer: '{}' }),
  });
  expect([response.status, limitOfWait(Number(response.headers.get('retry-after')))]).toEqual([429, 'passkey']);
});

test('every limit is met by one of these tests', () => {
  const met = ['change', 'upload', 'download', 'passkey', ...Object.keys(limitedActions), ...Object.keys(strangers)];
  // The fourth new company of an address: below. Ways to a provider: oidc.test.ts.
  expect(new Set([...met, 'newCompany', 'provider'])).toEqual(new Set([...names, 'none']));
});

const signUp = (username: string, address: string) =>
  call('setupAction', { ...newCompany, username, password }, address);

const isMade = (result: string | null) => result?.includes('"value"') ?? false;

test('where everyone may sign up, one address (IPv6: /64) creates three companies an hour', async () => {
  const network = newNetwork();
  for (const part of ['1', '2', '3']) expect(isMade(await signUp(newName(), `${network}::${part}`))).toBe(true);
  expect(await signUp(newName(), `${network}:a:b:c:d`)).toContain('waitSeconds');
  expect(isMade(await signUp(newName(), `${newNetwork()}::1`))).toBe(true);
});

test('an address asks for ten names an hour; after that taken and free ones have one answer', async () => {
  const [{ username: taken }, network] = [await makeCompany(), newNetwork()];
  // A taken name costs no company, of which the address may make three.
  for (let at = 1; at <= 10; at++) expect(await signUp(taken, `${network}::${at}`)).toContain('duplicateUsername');
  const refusals = await Promise.all([taken, newName()].map((name) => signUp(name, `${network}::1`)));
  for (const result of refusals) expect(result).toContain('waitSeconds');
  const [ofTaken, ofFree] = refusals.map((result) => result?.replace(/"waitSeconds":\d+/, ''));
  expect(ofTaken).toBe(ofFree);
});

test('tokens that a stranger makes up are not counted, so they fill no table', async () => {
  const token = randomBytes(32).toString('base64url');
  for (let at = 0; at < 12; at++) {
    const made = await call('acceptInvitationAction', { token, username: newName(), password }, `${newNetwork()}::1`);
    expect(made).toContain('invalidInvitation');
  }
});
