import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { makeDeviceKeys, pushServicePort } from '#e2e/support/browser/push-device.ts';
import { keep, principalOf } from '#e2e/support/data/calls.ts';
import { type Company, makeCompany, must, password } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { makeJpeg, makePng } from '#e2e/support/data/pictures.ts';
import { words } from '#e2e/support/data/random.ts';
import { toEveryone, toOne, toPeople, toRoles, writeManualDraft } from '#e2e/support/data/sends.ts';
import { openAdmin } from '#e2e/support/service/databases.ts';
import { createOwnerLink, inviteOwner, listOwnerInvitations } from '#server/accounts/owners/owner-links.ts';
import { makeFrameSecret, offerToBell, openBell } from '#server/accounts/sessions/bell-offer.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { listPasskeys } from '#server/accounts/sign-in/passkeys.ts';
import { listAudit } from '#server/audit/list.ts';
import { findLogo, setLogo } from '#server/companies/logo.ts';
import { createImport } from '#server/employees/imports.ts';
import { createInvitation } from '#server/employees/invitations.ts';
import {
  approveJoinRequests,
  createJoinLink,
  listJoinRequests,
  requestToJoin,
} from '#server/employees/join-requests.ts';
import { acceptLink } from '#server/employees/personal-links.ts';
import { createExport, listExports } from '#server/exports/exports.ts';
import { changePreferences } from '#server/inbox/preferences.ts';
import { confirmNotification, markAllRead, markRead } from '#server/inbox/read-state.ts';
import { authenticateAndCountKey } from '#server/keys/count.ts';
import { createKey, fingerprintOf, listKeys, revokeKey } from '#server/keys/keys.ts';
import type { Employee, Owner, Session } from '#server/principals.ts';
import { addOwnerDevice, listOwnerDevices } from '#server/push/owner-devices.ts';
import { addSubscription } from '#server/push/push.ts';
import { newRequestId } from '#server/request-id.ts';
import { sendNotification } from '#server/sends/by-key.ts';
import { withdrawNotification } from '#server/sends/history/changes.ts';
import { remind } from '#server/sends/manual/send-manually.ts';
import { saveTemplate } from '#server/sends/manual/templates.ts';
import { storePicture } from '#server/sends/pictures/pictures.ts';
import { holdSend } from '#server/sends/planned/planned-sends.ts';
import { makeRule } from '#server/sends/planned/send-rules.ts';
import { countCompany } from '#server/sends/statistics/statistics.ts';

/** A company with data of every kind. Each text contains its `marker`. */
export type FullCompany = Awaited<ReturnType<typeof makeFullCompany>>;

export type Ids = FullCompany['ids'];

const noUuid: string = randomUUID();

const missingTexts = {
  import: noUuid,
  export: noUuid,
  held: noUuid,
  planned: noUuid,
  missed: noUuid,
  picture: noUuid,
  ownerInvitation: 'f'.repeat(64),
  alarmDevice: '0'.repeat(64),
  request: newRequestId(),
  words: `tidakada${randomUUID().slice(0, 8)}`,
  endpoint: `http://127.0.0.1:${pushServicePort}/${noUuid}`,
  logo: noUuid.replaceAll('-', ''),
};
const numbers = words(`key spareKey employee invited inactive withAccount alsoWithAccount session bell passkey account
  otherOwner spareOwner spareManager audit send spareSend question confirmed joinLink joinRequest rule template identity`);
type Numbers = Record<Exclude<keyof Ids, keyof typeof missingTexts>, number>;
const missingNumbers = Object.fromEntries(numbers.map((name) => [name, 999_983])) as Numbers;

/** Ids of the usual form that do not exist. */
export const missing: Ids = { ...missingNumbers, ...missingTexts };

// Ids of six digits, so that a number in a page can only be the requested id.
async function raiseIds(): Promise<void> {
  // The service's role may not set sequences.
  const admin = openAdmin();
  // Below the numbers of sends, which begin at 500,000 and 700,000: an id that equals one would hide it.
  for (const table of words(`api_keys employees accounts sessions bells audit_log send_rules passkeys identities
    join_links send_templates join_requests`))
    await admin`select setval(name, 100000 + (random() * 390000)::int)
      from pg_get_serial_sequence(${table}, 'id') name
      where (select last_value from pg_sequences where schemaname || '.' || sequencename = name) is null
        or (select last_value from pg_sequences where schemaname || '.' || sequencename = name) < 100000`;
  await admin.end();
}

export async function sessionOf(cookie: string): Promise<Session & { employee: Employee }> {
  const session = await authenticateSession(cookie);
  if (!session) throw new Error('the session has ended');
  return session as Session & { employee: Employee };
}

export async function accountOf({ companyId, employeeId }: Employee): Promise<number> {
  const [row] = await sql()`select account_id from employees where company_id = ${companyId} and id = ${employeeId}`;
  return Number(row?.account_id);
}

export async function makeTwoCompanies() {
  const unique = randomUUID().slice(0, 8);
  const [ours, theirs] = await Promise.all([
    makeFullCompany(`milikkami${unique}`, 700_000),
    makeFullCompany(`rahasia${unique}`, 500_000),
  ]);
  return { ours, theirs };
}

/** Creates a company with data of every kind. Its notification numbers begin at `firstNo`. */
export async function makeFullCompany(marker: string, firstNo: number) {
  await raiseIds();
  const company = await makeCompany(`PT ${marker}`);
  const { owner } = company;
  await sql()`update companies set last_no = ${firstNo}, guessing_pushed_at = now() + interval '1 day'
    where id = ${owner.companyId}`;
  const worker = await company.hire(`Pekerja ${marker}`, `Peran ${marker}`);
  const invited = await company.hire(`Cadangan ${marker}`);
  const idle = await company.hire(`Nonaktif ${marker}`);
  const trusted = await company.hire(`Kepercayaan ${marker}`);
  const alsoTrusted = await company.hire(`Andalan ${marker}`);
  for (const one of [worker, trusted, alsoTrusted]) await company.giveAccount(one);
  await company.deactivate(idle);
  const invitation = must(await createInvitation(owner, invited.employeeId));
  const [ownerCookie, otherCookie] = [await openSessionOf(owner), await openSessionOf(owner)];
  const employee = await openSessionOf({ ...owner, accountId: await accountOf(worker) });
  const keys = await makeKeys(company, marker);
  const sends = await makeSends(company, marker, keys.text, worker);
  await addActivity(company, marker, employee, sends.send);
  await countCompany(owner);
  const { entries } = await listAudit(owner);
  const ids = {
    ...keys.ids,
    ...sends,
    words: marker,
    account: owner.accountId,
    employee: worker.employeeId,
    invited: invited.employeeId,
    inactive: idle.employeeId,
    withAccount: trusted.employeeId,
    alsoWithAccount: alsoTrusted.employeeId,
    ...(await makeOwners(company, marker)),
    session: (await sessionOf(otherCookie)).sessionId,
    bell: await makeBell(await sessionOf(ownerCookie), marker),
    passkey: (await listPasskeys(owner))[0]?.id ?? 0,
    audit: entries.find(({ action }) => action === 'key.create')?.id ?? 0,
    request: await refuseCall(keys.text, marker),
    ...(await makeCopies(company, marker)),
    ...(await makeJoins(owner, marker)),
    held: await makeHeld(company, marker, worker),
    ...(await makePlans(company, marker, worker)),
    template: await makeTemplate(company, marker, worker),
    endpoint: endpointOf(marker),
    alarmDevice: await makeAlarmDevice(owner, ownerCookie, marker),
    logo: await makeLogo(owner, firstNo),
    identity: Number((await sql()`select id from identities where company_id = ${owner.companyId}`)[0]?.id),
  };
  const manager = await openSessionOf(await company.addManager(`Manajer ${marker}`));
  return { marker, company, ids, key: keys.text, invitation: invitation.token, owner: ownerCookie, manager, employee };
}

// Its alarms are not due: no sweep changes the company during a test.
async function makeAlarmDevice(owner: Owner, cookie: string, marker: string): Promise<string> {
  const { sessionId } = await sessionOf(cookie);
  const keys = makeDeviceKeys();
  const subscription = { endpoint: `${endpointOf(marker)}/alarms`, p256dh: keys.p256dh, auth: keys.auth };
  expect(await addOwnerDevice({ owner, sessionId }, subscription, 'asked')).toBe('added');
  return (await listOwnerDevices({ owner, sessionId }))[0]?.id ?? '';
}

async function makeLogo(owner: Owner, seed: number): Promise<string> {
  await setLogo(owner, makePng(16, 8, seed));
  return (await findLogo(owner))?.version ?? '';
}

async function makeOwners(company: Company, marker: string) {
  const { owner } = company;
  const invite = async (name: string) => must(await inviteOwner(owner, `${name} ${marker}`)).token;
  const join = async (name: string) =>
    must(await acceptLink(await invite(name), `${name}-${marker}`, password)).accountId;
  const [otherOwner, spareOwner] = [await join('rekan'), await join('pengganti')];
  await invite('Calon Pemilik');
  await inviteOwner(owner, `Calon Manajer ${marker}`, 'manager');
  await createOwnerLink(owner, otherOwner);
  const [invitation] = await listOwnerInvitations(owner);
  const spareManager = (await company.addManager(`Wakil ${marker}`)).accountId;
  return { otherOwner, spareOwner, spareManager, ownerInvitation: invitation?.id ?? '' };
}

async function makeKeys(company: Company, marker: string) {
  const { owner } = company;
  const text = await company.newKey(`Kunci ${marker}`);
  const spare = await company.newKey(`Kunci lain ${marker}`);
  await company.newKey(`Kunci lama ${marker}`);
  const idOf = async (name: string) => (await listKeys(owner)).find((key) => key.name === name)?.id ?? 0;
  await revokeKey(owner, await idOf(`Kunci lama ${marker}`));
  await createKey(owner, { name: `Kunci pengganti ${marker}` }, await idOf(`Kunci ${marker}`));
  await sql()`update api_keys set note = ${`Catatan ${marker}`}, expected_every_minutes = 60, expected_since = now() - interval '1 day',
      silence_check_at = now() + interval '1 day'
    where fingerprint = ${fingerprintOf(spare)}`;
  await sql()`insert into alarms (company_id, kind, key_id, pushed_at, details)
    values (${owner.companyId}, 'repeated-broadcast', ${await idOf(`Kunci ${marker}`)}, now() + interval '1 day', jsonb_build_object('title', ${`Judul ${marker}`}::text, 'count', 5))`;
  await sql()`insert into alarms (company_id, kind, account_id, pushed_at, details)
    values (${owner.companyId}, 'denied-requests', ${owner.accountId}, now() + interval '1 day', jsonb_build_object('title', ${`Tindakan ${marker}`}::text, 'count', 10))`;
  return { text, ids: { key: await idOf(`Kunci ${marker}`), spareKey: await idOf(`Kunci lain ${marker}`) } };
}

async function makeSends(company: Company, marker: string, key: string, worker: Employee) {
  const draft = { title: `Judul ${marker}`, body: `Isi ${marker}`, kind: 'gaji', url: `/tautan/${marker}` } as const;
  const once = { idempotencyKey: marker, bodyHash: fingerprintOf(marker) };
  await sendNotification(await principalOf(key), { ...draft, recipients: { to: 'everyone' } }, newRequestId(), once);
  await authenticateAndCountKey(fingerprintOf(key));
  await sendNotification(await principalOf(key), { ...draft, ...toOne(worker.employeeId) }, newRequestId());
  const draftToConfirm = { ...draft, mustConfirm: true };
  const send = await writeManualDraft(company, draftToConfirm);
  const confirmed = await writeManualDraft(company, draftToConfirm);
  const spareSend = await writeManualDraft(company, draftToConfirm);
  const withdrawn = await writeManualDraft(company, draftToConfirm);
  const picture: string = randomUUID();
  await storePicture(company.owner, picture, makeJpeg(16, 8));
  const several = { ...draft, mustConfirm: false };
  await writeManualDraft(company, { ...several, ...toRoles(`Peran ${marker}`) });
  await writeManualDraft(company, { ...several, ...toPeople(worker.employeeId), draftId: picture });
  await withdrawNotification(company.owner, withdrawn);
  await remind(company.owner, confirmed, null);
  const answers = [`Ya ${marker}`, `Tidak ${marker}`];
  const question = await writeManualDraft(company, { ...draft, ...toOne(worker.employeeId), answers });
  return { send, spareSend, question, confirmed, picture };
}

const draftOf = (marker: string) =>
  ({ title: `Judul ${marker}`, body: `Isi ${marker}`, kind: 'gaji', url: null, mustConfirm: false }) as const;

// Sends to everyone and to one person that wait for a day: no test is so long.
async function makeHeld({ owner }: Company, marker: string, worker: Employee) {
  const draft = draftOf(marker);
  const draftId: string = randomUUID();
  await holdSend(owner, { ...draft, ...toEveryone, draftId });
  await holdSend(owner, { ...draft, draftId: randomUUID(), ...toOne(worker.employeeId) });
  await sql()`update planned_sends set leaves_at = now() + interval '1 day' where company_id = ${owner.companyId}`;
  return draftId;
}

// What leaves in many years: a planned send, a missed one and a rule.
async function makePlans({ owner }: Company, marker: string, { employeeId }: Employee) {
  const draft = draftOf(marker);
  const [planned, missed]: [string, string] = [randomUUID(), randomUUID()];
  for (const draftId of [planned, missed]) await holdSend(owner, { ...draft, draftId, ...toOne(employeeId) });
  await sql()`
    update planned_sends set is_planned = true, leaves_at = now() + interval '1 day',
      missed_at = case when draft_id = ${missed} then now() end
    where company_id = ${owner.companyId} and draft_id in (${planned}, ${missed})`;
  const rule = { ...draft, draftId: randomUUID(), ...toOne(employeeId) };
  const schedule = { weekdays: [], monthDay: null, time: '08:00', startsOn: '2099-01-01', endsOn: null };
  must(await makeRule(owner, rule, { ...schedule, every: 'day' }));
  const [made] = await sql()<{ id: number }[]>`select id from send_rules where company_id = ${owner.companyId}`;
  return { planned, missed, rule: made?.id ?? 0 };
}

async function makeBell(session: Session, marker: string): Promise<number> {
  const [{ secret, code }, origin] = [makeFrameSecret(), `https://${marker}.example.com`];
  const ticket = await offerToBell(session, code, origin);
  const opened = await openBell({ secret, ticket, origin }, { address: '192.0.2.1', client: `Lonceng ${marker}` });
  return opened?.bellId ?? 0;
}

async function makeTemplate({ owner }: Company, marker: string, { employeeId }: Employee): Promise<number> {
  return Number(await saveTemplate(owner, null, `Template ${marker}`, { ...draftOf(marker), ...toOne(employeeId) }));
}

async function addActivity(company: Company, marker: string, cookie: string, send: number): Promise<void> {
  const session = await sessionOf(cookie);
  await changePreferences(session.employee, { mutedKinds: ['absen'] });
  const subscription = { endpoint: endpointOf(marker), p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) };
  expect(await addSubscription(session, subscription)).toBe('added');
  await markAllRead(session.employee, send - 2);
  await markRead(session.employee, send, false);
  await confirmNotification(session, send + 1);
  await sql()`insert into portals (company_id, employee_id, browser_id, sound, seen_at)
    values (${company.owner.companyId}, ${session.employee.employeeId}, ${randomUUID()}, 'on', now())`;
  await sql()`insert into failed_sign_ins (company_id, account_id, source, failures)
    values (${company.owner.companyId}, ${company.owner.accountId}, sha256('a network'), 25)`;
  await sql()`
    with account as (select ${company.owner.companyId}::int as company_id, ${company.owner.accountId}::int as account_id),
      identity as (insert into identities (company_id, account_id, issuer, subject, label)
        select company_id, account_id, 'https://issuer.example', ${marker}, ${marker} from account),
      passkey as (insert into passkeys (company_id, account_id, name, credential_id, public_key, counter, transports)
        select company_id, account_id, ${marker}, convert_to(${marker}, 'UTF8'), '\\x00', 0, '{}' from account)
    insert into recovery_codes (company_id, account_id, code_hash) select *, sha256('a code') from account`;
}

const endpointOf = (marker: string) => `http://127.0.0.1:${pushServicePort}/${marker}`;

async function refuseCall(key: string, marker: string): Promise<string> {
  const requestId = newRequestId();
  const rejection = { code: 'employee_not_in_company', field: `bidang ${marker}` };
  const client = `skrip ${marker}`;
  await keep({ requestId, key: await principalOf(key), fingerprint: fingerprintOf(key), rejection, client });
  return requestId;
}

// A link, a request that was approved, and one that is open.
async function makeJoins(owner: Owner, marker: string) {
  const link = must(await createJoinLink(owner, { role: `Peran ${marker}`, days: 7, maxRequests: 10 }));
  const ask = (name: string) => requestToJoin(link.token, { name: `${name} ${marker}`, role: null }, '192.0.2.1');
  await ask('Pelamar');
  await approveJoinRequests(owner, await listJoinRequests(owner));
  await ask('Calon Karyawan');
  const [open] = await listJoinRequests(owner);
  return { joinLink: link.id, joinRequest: open?.id ?? 0 };
}

async function makeCopies({ owner }: Company, marker: string) {
  const words = { readme: `Bacalah ${marker}`, language: 'id' } as const;
  const id = await createExport(owner, words);
  while (!(await listExports(owner, words))[0]?.finishedAt) await sleep(50);
  const list = await createImport(owner, [{ line: 1, name: `Calon ${marker}`, role: 'Staf' }]);
  return { import: list, export: id };
}
