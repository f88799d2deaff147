import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { openReader } from '#e2e/support/http/open-streams.ts';
import { withFreshDatabase } from '#e2e/support/service/databases.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { listAudit } from '#server/audit/list.ts';

const url = process.env.SERVICE_URL ?? '';

const actionsOfOperator = async ({ owner }: Awaited<ReturnType<typeof makeCompany>>) => {
  const { entries } = await listAudit(owner, { filter: { who: 'operator' } });
  return entries.map(({ action, details }) => ({ action, details }));
};

test('the sessions of one person end in open portals at once; those of others stay', async () => {
  const company = await makeCompany();
  const [first, second] = [await company.hire('Karyawan Satu'), await company.hire('Karyawan Dua')];
  const usernames = [await company.giveAccount(first), await company.giveAccount(second)] as const;
  const [ended = '', kept = ''] = await Promise.all(usernames.map(openSessionOf));
  const readers = await Promise.all([ended, kept].map((cookie) => openReader(url, cookie)));
  const [closing, staying] = readers as [(typeof readers)[0], (typeof readers)[0]];
  expect(await runNotif(['sessions', 'end', usernames[0].toUpperCase()])).toMatchObject({
    code: 0,
    output: `1 session of Karyawan Satu (${company.owner.companyName}) ended.\n`,
    problems: '',
  });
  await closing.closed;
  expect((await fetch(`${url}/portal/inbox`, { headers: { cookie: ended } })).status).toBe(401);
  expect((await fetch(`${url}/portal/inbox`, { headers: { cookie: kept } })).status).toBe(200);
  expect(staying.response.destroyed).toBe(false);
  staying.leave();
  expect(await actionsOfOperator(company)).toEqual([
    { action: 'employee.sign-out', details: { employeeId: first.employeeId, name: 'Karyawan Satu' } },
  ]);
});

test('the sessions of a company end together, with one audit entry that counts them', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const employee = await company.giveAccount(await company.hire());
  const names = [company.username, employee, other.username];
  const [owner = '', portal = '', foreign = ''] = await Promise.all(names.map((one) => openSessionOf(one)));
  const reader = await openReader(url, portal);
  const ended = await runNotif(['sessions', 'end', '--company', String(company.owner.companyId), '--json']);
  expect(JSON.parse(ended.output)).toMatchObject({ ok: true, companyName: company.owner.companyName, sessions: 2 });
  await reader.closed;
  const statusOf = async (cookie: string) =>
    (await fetch(`${url}/owner`, { headers: { cookie }, redirect: 'manual' })).status;
  expect([await statusOf(owner), await statusOf(foreign)]).toEqual([307, 200]);
  expect(await actionsOfOperator(company)).toEqual([{ action: 'company.sign-out', details: { count: 2 } }]);
  expect(await actionsOfOperator(other)).toEqual([]);
});

test('all sessions end with --all; who is meant must be said exactly once', async () => {
  await withFreshDatabase({ isMigrated: true }, async (database) => {
    const companies = [await makeCompany(), await makeCompany(), await makeCompany()];
    for (const { owner } of companies.slice(1)) await openSessionOf(owner);
    const settings = { DATABASE_URL: database.url };
    for (const args of [[], ['x', '--all'], ['--all', '--company', '1']])
      expect(await runNotif(['sessions', 'end', ...args], settings)).toMatchObject({
        code: 2,
        problems: 'Name exactly one: USERNAME, --company COMPANY, or --all.\n',
      });
    const { output } = await runNotif(['sessions', 'end', '--all'], settings);
    expect(output).toBe('2 sessions of 2 companies ended.\n');
    expect(await database.admin`select from sessions`).toHaveLength(0);
    expect(await actionsOfOperator(companies[0] as (typeof companies)[0])).toEqual([]);
  });
});
