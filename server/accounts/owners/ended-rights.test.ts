import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { beforeAll, expect, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { Authenticator } from '#e2e/support/data/authenticator.ts';
import { type Company, makeCompany, must, password } from '#e2e/support/data/company.ts';
import { signIn } from '#e2e/support/data/owners.ts';
import { makeJpeg, makePng } from '#e2e/support/data/pictures.ts';
import { aDraft, content } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import * as links from '#server/accounts/owners/owner-links.ts';
import * as owners from '#server/accounts/owners/owners.ts';
import * as secondFactor from '#server/accounts/owners/second-factor.ts';
import * as sessions from '#server/accounts/sessions/sessions.ts';
import { changePassword } from '#server/accounts/sign-in/account.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { linkIdentity, listIdentities, unlinkIdentity } from '#server/accounts/sign-in/identities.ts';
import * as onlyProvider from '#server/accounts/sign-in/only-provider.ts';
import * as passkeys from '#server/accounts/sign-in/passkeys.ts';
import * as companies from '#server/companies/companies.ts';
import { changeEmbedOrigins, changeLinkBase } from '#server/companies/link-base.ts';
import * as logo from '#server/companies/logo.ts';
import * as employees from '#server/employees/employees.ts';
import * as imports from '#server/employees/imports.ts';
import * as invitations from '#server/employees/invitations.ts';
import * as joinRequests from '#server/employees/join-requests.ts';
import * as exported from '#server/exports/exports.ts';
import * as alarms from '#server/keys/alarms.ts';
import * as keys from '#server/keys/keys.ts';
import { type Manager, type Owner, RightsEnded, type Session } from '#server/principals.ts';
import * as devices from '#server/push/owner-devices.ts';
import * as withdraw from '#server/sends/history/changes.ts';
import { closeQuestion, correctNotification } from '#server/sends/history/changes.ts';
import { remind, sendManually } from '#server/sends/manual/send-manually.ts';
import * as templates from '#server/sends/manual/templates.ts';
import { storePicture } from '#server/sends/pictures/pictures.ts';
import * as planned from '#server/sends/planned/planned-sends.ts';
import * as rules from '#server/sends/planned/send-rules.ts';

const origin = 'http://localhost:3000';
const candidate = { name: 'Calon Uji', role: 'Kasir' };
const someone = { subject: randomUUID(), label: 'Uji', isFresh: null, sid: null };
const identity = { ...someone, issuer: 'https://id.test', hasSecondFactor: false };
const person = { name: 'Orang Uji', role: 'Penguji' };
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
const days = { time: '08:00', startsOn: '2030-01-01', endsOn: null };
const schedule: rules.Schedule = { every: 'day', weekdays: [], monthDay: null, ...days };
const [list, uuid] = [[{ line: 1, ...person }], randomUUID()];
const subscription = { endpoint: 'https://fcm.googleapis.com/fcm/send/x', p256dh: 'x', auth: 'x' };
/** Every function with which a manager changes something. */
const ofManagers: Record<string, (manager: Manager) => Promise<unknown>> = {
  addEmployee: (manager) => employees.addEmployee(manager, person),
  addMyself: (manager) => employees.addMyself(manager, 'Penguji'),
  editEmployee: (manager) => employees.editEmployee(manager, 1, person),
  setEmployeeRoles: (manager) => employees.setEmployeeRoles(manager, [1], 'Penguji'),
  setEmployeesActive: (manager) => employees.setEmployeesActive(manager, [1], false),
  signOutEmployee: (manager) => employees.signOutEmployee(manager, 1),
  createImport: (manager) => imports.createImport(manager, list),
  applyImport: (manager) => imports.applyImport(manager, uuid),
  createInvitation: (manager) => invitations.createInvitation(manager, 1),
  showInvitation: (manager) => invitations.showInvitation(manager, 1),
  createInvitations: (manager) => invitations.createInvitations(manager, [1]),
  remindToOpen: (manager) => invitations.remindToOpen(manager, [1]),
  createJoinLink: (manager) => joinRequests.createJoinLink(manager, { role: null, days: 1, maxRequests: 10 }),
  showJoinLink: (manager) => joinRequests.showJoinLink(manager, 1),
  revokeJoinLink: (manager) => joinRequests.revokeJoinLink(manager, 1),
  approveJoinRequests: (manager) => joinRequests.approveJoinRequests(manager, [{ id: 1, ...person }]),
  declineJoinRequests: (manager) => joinRequests.declineJoinRequests(manager, [1]),
  withdrawNotification: (manager) => withdraw.withdrawNotification(manager, 1),
  remind: (manager) => remind(manager, 1, null),
  correctNotification: (manager) => correctNotification(manager, 1, { title: 'J', body: 'I', url: null }),
  sendManually: (manager) => sendManually(manager, aDraft()),
  holdReminder: (manager) => planned.holdReminder(manager, 1, uuid),
  holdSend: (manager) => planned.holdSend(manager, aDraft()),
  planSend: (manager) => planned.planSend(manager, aDraft(), tomorrow()),
  storePicture: (manager) => storePicture(manager, uuid, makeJpeg(16, 8)),
  undoHeldSend: (manager) => planned.undoHeldSend(manager, uuid),
  changePlanned: (manager) => planned.changePlanned(manager, uuid, content, tomorrow()),
  cancelPlanned: (manager) => planned.cancelPlanned(manager, uuid),
  sendPlannedNow: (manager) => planned.sendPlannedNow(manager, uuid),
  closeQuestion: (manager) => closeQuestion(manager, 1),
  makeRule: (manager) => rules.makeRule(manager, aDraft(), schedule),
  changeRule: (manager) => rules.changeRule(manager, 1, content, schedule),
  endRule: (manager) => rules.endRule(manager, 1),
  saveTemplate: (manager) => templates.saveTemplate(manager, null, 'Nama', content),
  deleteTemplate: (manager) => templates.deleteTemplate(manager, 1),
  leaveManagers: (manager) => owners.leaveManagers(manager),
  renameAccount: (manager) => owners.renameAccount(manager, 'X'),
};

/** Every function with which only an owner changes something. */
const ofOwners: Record<string, (owner: Owner) => Promise<unknown>> = {
  editCompany: (owner) => companies.editCompany(owner, { companyName: 'X', timeZone: 'Asia/Jakarta' }),
  setMustConfirmKinds: (owner) => companies.setMustConfirmKinds(owner, ['gaji']),
  changeEmbedOrigins: (owner) => changeEmbedOrigins(owner, 'https://portal.test'),
  changeLinkBase: (owner) => changeLinkBase(owner, 'https://portal.test'),
  setLogo: (owner) => logo.setLogo(owner, makePng(2, 2)),
  removeLogo: (owner) => logo.removeLogo(owner),
  changeRetention: (owner) => companies.changeRetention(owner, { keepNotificationsDays: 90, keepRefusalsDays: 7 }),
  changeIdleLimits: (owner) =>
    sessions.changeIdleLimits(owner, { managersIdleMinutes: 15, employeesIdleMinutes: null }),
  createExport: (owner) => exported.createExport(owner, { readme: '', language: 'id' }),
  dismissAlarm: (owner) => alarms.dismissAlarm(owner, 'silent-key', { keyId: 1 }),
  changeAlarmSettings: (owner) => alarms.changeAlarmSettings(owner, { warnOfRepeats: false }),
  createKey: (owner) => keys.createKey(owner, { name: 'Kunci' }),
  revokeKey: (owner) => keys.revokeKey(owner, 1),
  editKey: (owner) => keys.editKey(owner, 1, { note: 'x' }),
  addOwnerDevice: (owner) => devices.addOwnerDevice({ owner, sessionId: 1 }, subscription, 'asked'),
  removeOwnerDevice: (owner) => devices.removeOwnerDevice(owner, '00'),
  withdrawRepeats: (owner) => withdraw.withdrawRepeats(owner, { keyId: 1 }),
  requireSecondFactor: (owner) => secondFactor.requireSecondFactor(owner, null),
  requireProvider: (owner) => onlyProvider.requireProvider(owner, { issuer: 'https://x.test', fallbackAccountId: 1 }),
  allowAllMethods: (owner) => onlyProvider.allowAllMethods(owner),
  makeRecoveryCodes: (owner) => secondFactor.makeRecoveryCodes(owner),
  inviteOwner: (owner) => links.inviteOwner(owner, 'X'),
  cancelOwnerInvitation: (owner) => links.cancelOwnerInvitation(owner, '00'),
  createOwnerLink: (owner) => links.createOwnerLink(owner, 1),
  removeOwner: (owner) => owners.removeOwner(owner, 1),
  giveRights: (owner) => owners.giveRights(owner, 1, 'owner'),
  exchangeRights: (owner) => owners.exchangeRights(owner, 1, 'owner'),
  signOutOwner: (owner) => owners.signOutOwner(owner, 1),
};

/** Every function with which a person changes how they sign in. */
const ofSessions = (session: Session, { answer, code }: { answer: string; code: string }) => ({
  changePassword: () => changePassword(session, password, 'sandi baru 12345', randomUUID()),
  linkIdentity: () => linkIdentity(session, identity),
  addPasskey: () => passkeys.addPasskey(session, 'HP saya', answer),
  removePasskey: () => passkeys.removePasskey(session, 1),
  acceptRecoveryCode: () => secondFactor.acceptRecoveryCode(session, code, randomUUID()),
});

beforeAll(() => vi.stubEnv('APP_URL', origin));

const openSession = async ({ username }: Company) =>
  must((await authenticateSession(await signIn(username))) ?? 'no session');

/** Another owner of the company, whose rights end with `removeOwner` or `exchangeRights`. */
async function addOwner({ owner, addManager }: Company): Promise<Owner> {
  const manager = await addManager('Pemilik Kedua');
  await owners.exchangeRights(owner, manager.accountId, 'owner');
  return { ...manager, kind: 'owner' };
}

const newestEntry = async ({ owner }: Company) => {
  const [entry] = await sql()<{ id: number }[]>`
    select max(id)::int as id from audit_log where company_id = ${owner.companyId}`;
  return entry?.id;
};

test('no writing function works with rights that ended a moment before', async ({ company }) => {
  const [manager, removed, demoted] = [await company.addManager(), await addOwner(company), await addOwner(company)];
  await owners.removeOwner(company.owner, manager.accountId, 'manager');
  await owners.removeOwner(company.owner, removed.accountId);
  await owners.exchangeRights(company.owner, demoted.accountId, 'manager');
  const before = await newestEntry(company);
  const refuse = (who: string, work: Promise<unknown>) => expect(work, who).rejects.toThrow(RightsEnded);
  for (const [name, write] of Object.entries(ofManagers)) {
    await refuse(`${name} of a removed manager`, write(manager));
    await refuse(`${name} of a removed owner`, write(removed));
  }
  for (const [name, write] of Object.entries(ofOwners)) {
    await refuse(`${name} of a removed owner`, write(removed));
    await refuse(`${name} of an owner who is a manager now`, write(demoted));
  }
  expect(await newestEntry(company)).toBe(before);
});

test('the functions that are tried are all that open a transaction of a person', () => {
  const files = globSync('server/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const declarations = files.flatMap((file) =>
    readFileSync(file, 'utf8').split(/\n(?=(?:export )?(?:async )?(?:function|const) )/),
  );
  const opens = /\b(?:with(?:Manager|Owner|SignedIn)|change(?:Management|Settings)|createInvitations)(?:<\w+>)?\(/;
  const opening = declarations
    .filter((text) => opens.test(text))
    .map((text) => /(?:function|const) (\w+)/.exec(text)?.[1]);
  const throughOthers = ['changeManagement', 'changeSettings'];
  const tried = [ofManagers, ofOwners, ofSessions({} as Session, { answer: '', code: '' })].flatMap(Object.keys);
  expect(opening.sort()).toEqual([...tried, ...throughOthers].sort());
});

const removals = 10;

test('who is removed while scripts use rights changes nothing', { timeout: 30_000 + removals * 2000 }, async () => {
  const company = await makeCompany();
  const people = await Promise.all(Array.from({ length: 5 }, () => company.hire()));
  const ids = people.map(({ employeeId }) => employeeId);
  for (let round = 0; round < removals; round++) {
    const isOwner = round % 2 === 1;
    const person = isOwner ? await addOwner(company) : await company.addManager();
    const link = must(await joinRequests.createJoinLink(company.owner, { role: null, days: 1, maxRequests: 200 }));
    let [ended, done] = [false, 0];
    const use = async (write: () => Promise<unknown>) => {
      while (!ended)
        await write()
          .then(() => done++)
          .catch(() => (ended = true));
    };
    const approve = async () => {
      await joinRequests.requestToJoin(link.token, candidate, `192.0.2.${round % 200}`);
      const [request] = await joinRequests.listJoinRequests(person);
      if (request) await joinRequests.approveJoinRequests(person, [{ ...candidate, id: request.id }]);
    };
    const makeKey = async () => {
      const key = await keys.createKey(person as Owner, { name: `Kunci ${randomUUID()}` });
      if (typeof key !== 'string') await keys.revokeKey(person as Owner, key.id);
    };
    const scripts = [
      use(() => invitations.createInvitation(person, ids[0] ?? 0)),
      use(() => invitations.createInvitations(person, ids)),
      use(() => sendManually(person, aDraft())),
      use(approve),
      ...(isOwner ? [use(makeKey)] : []),
    ];
    while (done < scripts.length) await sql()`select`;
    await owners.removeOwner(company.owner, person.accountId, isOwner ? 'owner' : 'manager');
    // What began before the removal ends now; without the check it would go on.
    await Promise.race([Promise.all(scripts), new Promise((resolve) => setTimeout(resolve, 2000))]);
    ended = true;
    await joinRequests.revokeJoinLink(company.owner, link.id);
    const after = await sql()`
      select action from audit_log where company_id = ${company.owner.companyId} and actor_id = ${person.accountId}
        and id > (select max(id) from audit_log
          where company_id = ${company.owner.companyId} and action in ('manager.remove', 'owner.remove'))`;
    expect(after).toEqual([]);
    const usable = await sql()`
      select from invitations
      where company_id = ${company.owner.companyId} and created_by = ${person.accountId} and used_at is null`;
    expect(usable).toHaveLength(0);
  }
});

test('a session that ended a moment before adds no way to sign in', async ({ company }) => {
  const session = await openSession(company);
  const [code = ''] = await secondFactor.makeRecoveryCodes(company.owner);
  const options = await passkeys.makePasskeyOptions(session.account);
  const answer = new Authenticator(origin).register(options ?? { challenge: '' });
  await sessions.endSession(session.account, session.sessionId);
  for (const [name, write] of Object.entries(ofSessions(session, { answer, code })))
    await expect(write(), name).rejects.toThrow(RightsEnded);
});

test('of two ways to sign in, removed at once, one stays', async ({ company }) => {
  const session = await openSession(company);
  const { companyId, accountId } = company.owner;
  const options = await passkeys.makePasskeyOptions(session.account);
  await passkeys.addPasskey(session, 'HP saya', new Authenticator(origin).register(options ?? { challenge: '' }));
  await linkIdentity(session, identity);
  await sql()`update accounts set password_hash = null where company_id = ${companyId} and id = ${accountId}`;
  const [[passkey], [linked]] = [await passkeys.listPasskeys(session.account), await listIdentities(session.account)];
  const removed = await Promise.all([
    passkeys.removePasskey(session, passkey?.id ?? 0),
    unlinkIdentity(session.account, linked?.id ?? 0),
  ]);
  expect(removed.filter((one) => one === 'removed' || one === 'unlinked')).toHaveLength(1);
});
