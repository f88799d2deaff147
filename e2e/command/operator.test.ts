import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, connect, makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { openReader } from '#e2e/support/http/open-streams.ts';
import { withFreshDatabase } from '#e2e/support/service/databases.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { freePort, startService } from '#e2e/support/service/service.ts';
import { listOwnerInvitations } from '#server/accounts/owners/owner-links.ts';
import { listAudit } from '#server/audit/list.ts';
import { acceptLink } from '#server/employees/personal-links.ts';

const url = process.env.SERVICE_URL ?? '';

const onTestDatabase = (...args: string[]) => runNotif(args, { APP_URL: url });

test('the operator’s link lets a locked-out owner choose a password; nothing else is printed', async ({ company }) => {
  const before = await openSessionOf(company.username);
  const { code, output, problems, link } = await onTestDatabase('owner', 'reset', company.username);
  expect([code, problems]).toEqual([0, '']);
  expect(
    output,
  ).toBe(`A link for Pemilik Uji, owner of ${company.owner.companyName}. It can be used once, within 30 minutes.
Give it to Pemilik Uji only. The person who opens it chooses the password.

  ${link}
`);
  expect(await (await fetch(link)).text()).toContain(company.username);
  expect(await acceptLink(link.split('/').at(-1) ?? '', '', 'sandi lain yang baru')).toHaveProperty('accountId');
  expect((await fetch(`${url}/owner`, { headers: { cookie: before }, redirect: 'manual' })).status).toBe(307);
});

test('the command explains an unknown name, an employee and wrong use in one sentence', async ({ company }) => {
  const employee = await company.giveAccount(await company.hire());
  const notAnOwner = await onTestDatabase('owner', 'reset', employee);
  expect(notAnOwner).toMatchObject({ code: 1, output: '', problems: expect.stringMatching(/^\S+ is not an owner\./) });
  const unknown = await onTestDatabase('owner', 'reset', 'tidak-ada', '--json');
  expect(unknown).toMatchObject({ code: 1, problems: '' });
  expect(JSON.parse(unknown.output)).toMatchObject({ ok: false, error: 'no-such-account' });
  const incomplete = await onTestDatabase('owner', 'reset');
  expect(incomplete).toMatchObject({ code: 2, output: '', problems: expect.stringMatching(/help/) });
  const host = `127.0.0.1:${await freePort()}`;
  const lost = await runNotif(['owner', 'reset', 'x'], { DATABASE_URL: `postgres://nobody:x@${host}/none` });
  const problems = `The database at ${host} is out of reach (ECONNREFUSED). Nothing was changed.\n`;
  expect(lost).toMatchObject({ code: 3, problems });
});

test('the command works on a trial while it runs', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-operator-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const port = String(await freePort());
  const settings = { DATA_DIR: dataDir, PORT: port };
  const own = { ...settings, DATABASE_URL: undefined, AUTH_SECRET: undefined, APP_URL: undefined };
  const start = () => startService(settings, ['server/main.js'], /only its fingerprint|was shown at the first start/);
  expect((await runNotif(['owner', 'reset', 'pemilik'], own)).problems).toBe(
    `No trial runs in ${dataDir}. Start it, or give the settings of the service: \`notif --settings FILE\`.\n`,
  );
  const first = await start();
  expect((await stat(join(dataDir, 'instance.json'))).mode & 0o077).toBe(0);
  // Without PORT: the command learns the address from the running service.
  const running = await runNotif(['owner', 'reset', 'pemilik'], { ...own, PORT: undefined });
  expect(running).toMatchObject({ code: 0, problems: '' });
  expect(running.link).toContain(first.url);
  expect(await (await fetch(running.link)).text()).toContain('Pemilik Contoh');
  await first.stop();
}, 300_000);

test('the operator’s invitation makes a new owner; the owners of the company see who invited', async ({ company }) => {
  const { companyId, companyName } = company.owner;
  const invited = await onTestDatabase('owner', 'add', 'Pemilik Kedua', '--company', String(companyId));
  const said = `An invitation for Pemilik Kedua, as an owner of ${companyName}. It can be used once, within 30 minutes.
Give it to Pemilik Kedua only. The person who opens it chooses the username and the password.

  ${invited.link}
`;
  expect(invited).toMatchObject({ code: 0, output: said });
  expect(await listOwnerInvitations(company.owner)).toMatchObject([{ name: 'Pemilik Kedua', invitedBy: null }]);
  const settings = await fetch(`${url}/owner/settings/access`, {
    headers: { cookie: await openSessionOf(company.username), 'accept-language': 'en' },
  });
  expect(await settings.text()).toContain('the operator of this service');
  const token = invited.link.split('/').at(-1) ?? '';
  expect(await acceptLink(token, `kedua-${companyId}`, 'sandi yang cukup panjang')).toMatchObject({ companyId });
  const { entries } = await listAudit(company.owner, { filter: { who: 'operator' } });
  expect(entries).toMatchObject([{ action: 'owner.invite', details: { name: 'Pemilik Kedua' } }]);
  const listed = await onTestDatabase('owner', 'list', '--company', String(companyId), '--json');
  expect(JSON.parse(listed.output).owners).toMatchObject([
    { username: company.username },
    { username: `kedua-${companyId}`, companyName },
  ]);
  const companies = await onTestDatabase('company', 'list', '--json');
  expect(JSON.parse(companies.output).companies).toContainEqual(expect.objectContaining({ companyId, owners: 2 }));
});

test('a company must be named when there are several, by its number or a name that only one has', async () => {
  await withFreshDatabase({ isMigrated: true }, async (database) => {
    const add = (...args: string[]) => runNotif(['owner', 'add', 'Budi', ...args], { DATABASE_URL: database.url });
    expect(await add()).toMatchObject({ code: 1, problems: 'No company exists yet.\n' });
    await makeCompany('PT Satu');
    expect(await add()).toMatchObject({ code: 0, output: expect.stringContaining('owner of PT Satu') });
    await makeCompany('PT Dua');
    expect(await add()).toMatchObject({ code: 1, problems: expect.stringContaining('name one with --company') });
    expect(await add('--company', 'pt dua')).toMatchObject({ code: 0, output: expect.stringContaining('PT Dua') });
    expect((await add('--company', 'PT Tiga')).problems).toMatch(/^There is no/);
    await makeCompany('PT Dua');
    expect(await add('--company', 'PT Dua')).toMatchObject({ problems: expect.stringContaining('give the number') });
  });
});

const actionsOfOperator = async ({ owner }: Company) => {
  const { entries } = await listAudit(owner, { filter: { who: 'operator' } });
  return entries.map(({ action, details }) => ({ action, details }));
};

test('the sessions of one person end in open portals at once; those of others stay', async ({ company }) => {
  const [first, second] = [await company.hire('Karyawan Satu'), await company.hire('Karyawan Dua')];
  const username = await company.giveAccount(first);
  const [ended, kept] = [await openSessionOf(username), await openSessionOf(await company.giveAccount(second))];
  const [closing, staying] = [await openReader(url, ended), await openReader(url, kept)];
  const output = `1 session of Karyawan Satu (${company.owner.companyName}) ended.\n`;
  expect(await runNotif(['sessions', 'end', username.toUpperCase()])).toMatchObject({ code: 0, output, problems: '' });
  await closing.closed;
  expect((await fetch(`${url}/portal/inbox`, { headers: { cookie: ended } })).status).toBe(401);
  expect((await fetch(`${url}/portal/inbox`, { headers: { cookie: kept } })).status).toBe(200);
  expect(staying.response.destroyed).toBe(false);
  staying.leave();
  expect(await actionsOfOperator(company)).toEqual([
    { action: 'employee.sign-out', details: { employeeId: first.employeeId, name: 'Karyawan Satu' } },
  ]);
});

test('the sessions of a company end together, with one audit entry that counts them', async ({ company, other }) => {
  const [owner, foreign] = [await openSessionOf(company.username), await openSessionOf(other.username)];
  const reader = await openReader(url, await openSessionOf(await company.giveAccount(await company.hire())));
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
    const company = await makeCompany();
    for (const { owner } of [await makeCompany(), await makeCompany()]) await openSessionOf(owner);
    const settings = { DATABASE_URL: database.url };
    for (const args of [[], ['x', '--all'], ['--all', '--company', '1']])
      expect(await runNotif(['sessions', 'end', ...args], settings)).toMatchObject({
        code: 2,
        problems: 'Name exactly one: USERNAME, --company COMPANY, or --all.\n',
      });
    const { output } = await runNotif(['sessions', 'end', '--all'], settings);
    expect(output).toBe('2 sessions of 2 companies ended.\n');
    expect(await database.admin`select from sessions`).toHaveLength(0);
    expect(await actionsOfOperator(company)).toEqual([]);
  });
});

const newIssuer = 'https://id.kantor.test/realms/satu';
const setting = JSON.stringify([{ issuer: newIssuer, clientId: 'notif', clientSecret: 'rahasia', label: 'Kantor' }]);

const issuersOf = async ({ owner }: Company) => {
  const rows = await sql()`select issuer from identities where company_id = ${owner.companyId} order by id`;
  return rows.map(({ issuer }) => issuer);
};

test('connections move to a configured new issuer after a dry run; each company has an audit entry', async () => {
  const refused = await runNotif(['provider', 'move', newIssuer, 'https://salah.test'], { OIDC_PROVIDERS: setting });
  expect(refused).toMatchObject({ code: 1, output: '', problems: expect.stringContaining('is not an issuer in') });
  const oldIssuer = `http://${randomUUID()}.test/realms/satu`;
  const [company, other, unconcerned] = [await makeCompany(), await makeCompany(), await makeCompany()];
  const twice = randomUUID();
  for (const subject of [randomUUID(), twice]) await connect(company.username, oldIssuer, subject);
  await connect(company.username, newIssuer, twice);
  await sql()`update companies set only_issuer = ${oldIssuer}, fallback_account_id = ${company.owner.accountId}
    where id = ${company.owner.companyId}`;
  await connect(other.username, oldIssuer, randomUUID());
  await connect(unconcerned.username, newIssuer, randomUUID());
  const move = (...more: string[]) =>
    runNotif(['provider', 'move', oldIssuer, newIssuer, ...more], { OIDC_PROVIDERS: setting });

  const dry = expect.stringMatching(/ 1 +1\n.*Nothing was changed\. Add --apply to move them\./s);
  expect(await move()).toMatchObject({ code: 0, problems: '', output: dry });
  expect(await issuersOf(company)).toEqual([oldIssuer, oldIssuer, newIssuer]);

  const { companies, apply } = JSON.parse((await move('--apply', '--json')).output);
  expect(apply).toBe(true);
  expect(companies).toMatchObject([
    { companyId: company.owner.companyId, identities: 1, taken: 1 },
    { companyId: other.owner.companyId, identities: 1, taken: 0 },
  ]);
  expect(await issuersOf(company)).toEqual([newIssuer, oldIssuer, newIssuer]);
  expect(await issuersOf(other)).toEqual([newIssuer]);
  const [rule] = await sql()`select only_issuer as issuer from companies where id = ${company.owner.companyId}`;
  expect(rule).toEqual({ issuer: newIssuer });
  const details = { from: oldIssuer, to: newIssuer, count: 1 };
  expect(await actionsOfOperator(company)).toEqual([{ action: 'identity.move', details }]);
  expect(await actionsOfOperator(other)).toEqual([{ action: 'identity.move', details }]);
  expect(await actionsOfOperator(unconcerned)).toEqual([]);
});

test('the start and the doctor name an issuer that companies require and nobody configured', async () => {
  await withFreshDatabase({ isMigrated: true }, async ({ url }) => {
    const { owner } = await makeCompany();
    const gone = 'https://gone.kantor.test';
    await sql()`update companies set only_issuer = ${gone}, fallback_account_id = ${owner.accountId}
      where id = ${owner.companyId}`;
    const settings = { DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(40), OIDC_PROVIDERS: setting };
    const { code, output } = await runNotif(['doctor'], settings);
    expect([code, output]).toEqual([1, expect.stringContaining(`OIDC_PROVIDERS does not have ${gone}`)]);
    const service = await startService({ ...settings, HOST: '127.0.0.1' });
    await expect.poll(service.output).toMatch(/"issuer":"https:\/\/gone\.kantor\.test","companies":1/);
    await service.stop();
  });
});
