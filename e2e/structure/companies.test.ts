import { expect } from 'vitest';
import { inTransaction, sql } from '#db/client.ts';
import { getTableName } from '#db/drizzle.cjs';
import * as tables from '#db/schema/tables.ts';
import { asUnlisted, findUnlistedTemplates, readStatements } from '#e2e/structure/across-companies.ts';
import { listStatementsOf, tablesAcrossCompanies } from '#e2e/structure/company-scope.ts';
import { listBuilders } from '#e2e/structure/sql-templates.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { root } from '#e2e/support/service/service.ts';
import { listAllOwners, moveIssuer } from '#server/accounts/owners/operator.ts';
import { renameAccount } from '#server/accounts/owners/owners.ts';
import { countRecoveryCodes } from '#server/accounts/owners/second-factor.ts';
import { chooseLanguage } from '#server/accounts/sign-in/account.ts';
import { takeGuessingToPush } from '#server/accounts/sign-in/failed-sign-ins.ts';
import { listReauthenticationWays } from '#server/accounts/sign-in/identities.ts';
import { allowAllMethods, findProviderRule, listReadiness } from '#server/accounts/sign-in/only-provider.ts';
import { endProviderSessions, findLastLogout } from '#server/accounts/sign-in/provider-sessions.ts';
import { findCompany, hasOwner, listCompanies } from '#server/companies/companies.ts';
import { remindToOpen } from '#server/employees/invitations.ts';
import { CompanyFeed } from '#server/feed/company-feed.ts';
import { findInInbox, listInbox } from '#server/inbox/inbox.ts';
import { takeEndedSnoozes } from '#server/inbox/moves.ts';
import { countToConfirm } from '#server/inbox/unread.ts';
import { secondsSinceHourlyJobs } from '#server/jobs/hourly-jobs.ts';
import { changeAlarmSettings, countOpenAlarms, takeRepeatsToPush, takeSilencesToPush } from '#server/keys/alarms.ts';
import { hasKeys } from '#server/keys/keys.ts';
import { hasOwnerDevice, takePending } from '#server/push/owner-devices.ts';
import { removeSubscription } from '#server/push/push.ts';
import { sendNotification } from '#server/sends/by-key.ts';
import { withdrawRepeats } from '#server/sends/history/changes.ts';
import { listRecipients, listReminders } from '#server/sends/history/details.ts';
import { countRoles, listPossibleRecipients } from '#server/sends/manual/possible-recipients.ts';

const statements = readStatements(root);
const builders = listBuilders(root, Object.keys(tables));

test('each statement is bound to one company, or docs/security.md lists it with its reason', () => {
  expect(findUnlistedTemplates(statements)).toEqual([]);
});

test('each statement of the builder names the company of its tables, or docs/security.md lists it', () => {
  const names = new Map(Object.entries(tables).map(([name, table]) => [name, getTableName(table)]));
  const unlisted = builders.flatMap(({ where, tables }) => {
    const open = tables.filter((name) => !statements.listed[where]?.includes(names.get(name) ?? ''));
    return open.length > 0 ? [{ where, open }] : [];
  });
  expect(builders.length).toBeGreaterThan(5);
  expect(unlisted).toEqual([]);
});

const listFunctions = () => sql()<{ name: string; definition: string }[]>`
  select proname as name, pg_get_functiondef(p.oid) as definition
  from pg_proc p join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
  where pronamespace = 'public'::regnamespace`;

test('each statement of a function of the database is bound to one company, or docs/security.md lists it', async () => {
  const read = (await listFunctions()).map(({ name, definition }) => ({ name, texts: listStatementsOf(definition) }));
  expect(read.flatMap(({ texts }) => texts).length).toBeGreaterThan(10);
  const unlistedOf = (name: string, text: string) => asUnlisted(`db/migrations#${name}`, text, statements);
  expect(read.flatMap(({ name, texts }) => texts.flatMap((text) => unlistedOf(name, text)))).toEqual([]);
});

test('each entry of the list in docs/security.md names a function with a statement', async () => {
  const functions = (await listFunctions()).map(({ name }) => ({ where: `db/migrations#${name}` }));
  const known = new Set([...statements.templates, ...builders, ...functions].map(({ where }) => where));
  expect(Object.keys(statements.listed).length).toBeGreaterThan(20);
  expect(Object.keys(statements.listed).filter((where) => !known.has(where))).toEqual([]);
});

// The setup file of unit tests judges what these send.
test('statements of parts, which no other unit test runs, run here', async ({ company, owner, employee }) => {
  const key = await principalOf(await company.newKey());
  await sendNotification(key, { ...keyDraft, kind: 'gaji' }, 'x');
  const feed = new CompanyFeed(owner.companyId, { lastNo: 0, accessNo: 0 }, async () => {});
  feed.recordCheck({ lastNo: 1, accessNo: 0 });
  await feed.update();
  expect(await countToConfirm(employee)).toBe(0);
  expect((await listInbox(employee, { filter: { toConfirm: true } })).items).toEqual([]);
  expect((await listInbox(employee, { filter: { unread: true } })).items).toHaveLength(1);
  expect(await findInInbox(employee, 2)).toBeNull();
  expect(await listReminders(owner, 1)).toEqual([]);
  for (const words of ['', 'x', String(employee.employeeId)]) await listPossibleRecipients(owner, words);
  expect((await listRecipients(owner, 1, { filter: { state: 'unread' } })).people).toHaveLength(1);
  expect(await withdrawRepeats(owner, { keyId: key.id })).toBe(0);
});

test('statements of the builder that no other unit test sends run here', async ({ owner, employee }) => {
  const account = { ...owner, username: 'x', language: null };
  const operator = { kind: 'operator' } as const;
  await inTransaction(async (tx) => {
    await takeRepeatsToPush(tx);
    await takeSilencesToPush(tx);
    await takeGuessingToPush(tx);
  });
  await Promise.all([takePending(), takeEndedSnoozes(), countOpenAlarms(), secondsSinceHourlyJobs(), hasOwner()]);
  await Promise.all([listCompanies(operator), findCompany(operator, owner.companyName), listAllOwners(operator, null)]);
  await moveIssuer(operator, { from: 'https://from.test', to: 'https://to.test', apply: false });
  await Promise.all([hasKeys(owner), hasOwnerDevice(owner), findProviderRule(owner), countRecoveryCodes(account)]);
  await listReadiness(owner, 'https://one.test', 1);
  await Promise.all([listReauthenticationWays(account), findLastLogout('https://one.test'), countRoles(owner)]);
  await endProviderSessions('https://one.test', { sid: 'a', sub: 'b' });
  await chooseLanguage(account, 'id');
  await changeAlarmSettings(owner, { warnOfSilence: true });
  await renameAccount(owner, 'Nama lain');
  await removeSubscription(employee, 'https://push.test');
  expect(await remindToOpen(owner, [employee.employeeId])).toHaveLength(1);
  expect(await allowAllMethods(owner)).toBe('changed');
});

// The service's own statements are the examples that bind a company correctly.
const across: [statement: string, crossed: string[]][] = [
  ['select 1 from receipts where company_id = $1 or no = $2', ['receipts']],
  ['select 1 from receipts where company_id = any($1)', ['receipts']],
  ['select name from companies', ['companies']],
  ['select 1 from limit_counters where subject = $1', ['limit_counters']],
  ['select 1 from receipts r join employees e on e.id = r.employee_id where r.company_id = $1', ['employees']],
  ['select 1 from companies c where c.id = $1 and exists (select from receipts)', ['receipts']],
  [
    'with n as (select company_id, no from notifications) select 1 from n join receipts r on r.company_id = n.company_id',
    ['notifications', 'receipts'],
  ],
  [
    'select 1 from (select company_id from receipts where company_id = $1 union all select company_id from read_marks) u',
    ['read_marks'],
  ],
  ['insert into read_marks (company_id, employee_id, up_to) values ($1, $2, $3), ($4, $5, $6)', ['read_marks']],
  [
    'insert into read_marks (company_id, employee_id, up_to) select company, 1, 1 from unnest($1::int[]) as a (company)',
    ['read_marks'],
  ],
  ['delete from sessions s using accounts a where a.company_id = $1 and s.account_id = a.id', ['sessions']],
];

for (const [text, crossed] of across)
  test(`several companies: ${text.slice(0, 75)}`, () => {
    expect(tablesAcrossCompanies(text, statements.tables)).toEqual(crossed);
  });
