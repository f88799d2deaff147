import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { withFreshDatabase } from '#e2e/support/service/databases.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { freePort, startService } from '#e2e/support/service/service.ts';
import { listOwnerInvitations } from '#server/accounts/owners/owner-links.ts';
import { listAudit } from '#server/audit/list.ts';
import { acceptLink } from '#server/employees/personal-links.ts';

const url = process.env.SERVICE_URL ?? '';

const onTestDatabase = (args: string[]) => runNotif(args, { APP_URL: url });

test('the operator’s link lets a locked-out owner choose a password; nothing else is printed', async () => {
  const company = await makeCompany();
  const before = await openSessionOf(company.username);
  const { code, output, problems, link } = await onTestDatabase(['owner', 'reset', company.username]);
  expect([code, problems]).toEqual([0, '']);
  expect(
    output,
  ).toBe(`A link for Pemilik Uji, owner of ${company.owner.companyName}. It can be used once, within 30 minutes.
Give it to Pemilik Uji only. The person who opens it chooses the password.

  ${link}
`);
  expect(await (await fetch(link)).text()).toContain(company.username);
  expect(await acceptLink(link.split('/').at(-1) ?? '', '', 'sandi lain yang baru')).toHaveProperty('accountId');
  const owner = await fetch(`${url}/owner`, { headers: { cookie: before }, redirect: 'manual' });
  expect(owner.status).toBe(307);
});

test('the command explains an unknown name, an employee and wrong use in one sentence', async () => {
  const company = await makeCompany();
  const employee = await company.giveAccount(await company.hire());
  const notAnOwner = await onTestDatabase(['owner', 'reset', employee]);
  expect(notAnOwner).toMatchObject({ code: 1, output: '', problems: expect.stringMatching(/^\S+ is not an owner\./) });
  const unknown = await onTestDatabase(['owner', 'reset', 'tidak-ada', '--json']);
  expect(unknown).toMatchObject({ code: 1, problems: '' });
  expect(JSON.parse(unknown.output)).toMatchObject({ ok: false, error: 'no-such-account' });
  const incomplete = await onTestDatabase(['owner', 'reset']);
  expect(incomplete).toMatchObject({ code: 2, output: '', problems: expect.stringMatching(/help/) });
  const unreachable = `postgres://nobody:x@127.0.0.1:${await freePort()}/none`;
  const lost = await runNotif(['owner', 'reset', 'x'], { DATABASE_URL: unreachable });
  const where = new URL(unreachable).host;
  expect(lost).toMatchObject({
    code: 3,
    problems: `The database at ${where} is out of reach (ECONNREFUSED). Nothing was changed.\n`,
  });
});

test('the command works on a trial while it runs', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-operator-'));
  const port = String(await freePort());
  const settings = { DATA_DIR: dataDir, PORT: port };
  const own = { ...settings, DATABASE_URL: undefined, AUTH_SECRET: undefined, APP_URL: undefined };
  const start = () => startService(settings, ['server/main.js'], /only its fingerprint|was shown at the first start/);
  try {
    const missing = await runNotif(['owner', 'reset', 'pemilik'], own);
    expect(missing.problems).toBe(
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
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}, 300_000);

test('the operator’s invitation makes a new owner; the owners of the company see who invited', async () => {
  const company = await makeCompany();
  const { companyId, companyName } = company.owner;
  const { code, output, link } = await onTestDatabase([
    'owner',
    'add',
    'Pemilik Kedua',
    '--company',
    String(companyId),
  ]);
  expect(code).toBe(0);
  expect(
    output,
  ).toBe(`An invitation for Pemilik Kedua, as an owner of ${companyName}. It can be used once, within 30 minutes.
Give it to Pemilik Kedua only. The person who opens it chooses the username and the password.

  ${link}
`);
  expect(await listOwnerInvitations(company.owner)).toMatchObject([{ name: 'Pemilik Kedua', invitedBy: null }]);
  const settings = await fetch(`${url}/owner/settings/access`, {
    headers: { cookie: await openSessionOf(company.username), 'accept-language': 'en' },
  });
  expect(await settings.text()).toContain('the operator of this service');
  const token = link.split('/').at(-1) ?? '';
  expect(await acceptLink(token, `kedua-${companyId}`, 'sandi yang cukup panjang')).toMatchObject({ companyId });
  const { entries } = await listAudit(company.owner, { filter: { who: 'operator' } });
  expect(entries).toMatchObject([{ action: 'owner.invite', details: { name: 'Pemilik Kedua' } }]);
  const listed = await onTestDatabase(['owner', 'list', '--company', String(companyId), '--json']);
  expect(JSON.parse(listed.output).owners).toMatchObject([
    { username: company.username },
    { username: `kedua-${companyId}`, companyName },
  ]);
  const companies = await onTestDatabase(['company', 'list', '--json']);
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
    expect(await add('--company', 'PT Tiga')).toMatchObject({
      code: 1,
      problems: expect.stringMatching(/^There is no/),
    });
    await makeCompany('PT Dua');
    expect(await add('--company', 'PT Dua')).toMatchObject({ problems: expect.stringContaining('give the number') });
  });
});
