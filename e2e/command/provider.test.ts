import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { withFreshDatabase } from '#e2e/support/service/databases.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { startService } from '#e2e/support/service/service.ts';
import { listAudit } from '#server/audit/list.ts';

const newIssuer = 'https://id.kantor.test/realms/satu';
const setting = JSON.stringify([{ issuer: newIssuer, clientId: 'notif', clientSecret: 'rahasia', label: 'Kantor' }]);

const connect = ({ owner }: Company, issuer: string, subject: string) => sql()`
  insert into identities (company_id, account_id, issuer, subject, label)
  values (${owner.companyId}, ${owner.accountId}, ${issuer}, ${subject}, 'Uji')`;

const issuersOf = async ({ owner }: Company) => {
  const rows = await sql()<{ issuer: string }[]>`
    select issuer from identities where company_id = ${owner.companyId} order by id`;
  return rows.map(({ issuer }) => issuer);
};

const auditOf = async ({ owner }: Company) =>
  (await listAudit(owner, { filter: { who: 'operator' } })).entries.map(({ action, details }) => ({ action, details }));

test('connections of a provider move to its new issuer after a dry run; each company has an audit entry', async () => {
  const oldIssuer = `http://${randomUUID()}.test/realms/satu`;
  const [company, other, unconcerned] = [await makeCompany(), await makeCompany(), await makeCompany()];
  const twice = randomUUID();
  for (const subject of [randomUUID(), twice]) await connect(company, oldIssuer, subject);
  await connect(company, newIssuer, twice);
  await sql()`update companies set only_issuer = ${oldIssuer}, fallback_account_id = ${company.owner.accountId}
    where id = ${company.owner.companyId}`;
  await connect(other, oldIssuer, randomUUID());
  await connect(unconcerned, newIssuer, randomUUID());
  const move = (...more: string[]) =>
    runNotif(['provider', 'move', oldIssuer, newIssuer, ...more], { OIDC_PROVIDERS: setting });

  const dry = await move();
  expect([dry.code, dry.problems]).toEqual([0, '']);
  expect(dry.output).toMatch(/ 1 +1\n/);
  expect(dry.output).toContain('Nothing was changed. Add --apply to move them.');
  expect(await issuersOf(company)).toEqual([oldIssuer, oldIssuer, newIssuer]);

  const { companies, apply } = JSON.parse((await move('--apply', '--json')).output);
  expect([apply, companies]).toMatchObject([
    true,
    [
      { companyId: company.owner.companyId, identities: 1, taken: 1 },
      { companyId: other.owner.companyId, identities: 1, taken: 0 },
    ],
  ]);
  expect(await issuersOf(company)).toEqual([newIssuer, oldIssuer, newIssuer]);
  expect(await issuersOf(other)).toEqual([newIssuer]);
  const [rule] = await sql()`select only_issuer as issuer from companies where id = ${company.owner.companyId}`;
  expect(rule).toEqual({ issuer: newIssuer });
  const details = { from: oldIssuer, to: newIssuer, count: 1 };
  expect(await auditOf(company)).toEqual([{ action: 'identity.move', details }]);
  expect(await auditOf(other)).toEqual([{ action: 'identity.move', details }]);
  expect(await auditOf(unconcerned)).toEqual([]);
});

test('a move to an issuer that nobody configured is refused', async () => {
  const refused = await runNotif(['provider', 'move', newIssuer, 'https://salah.test'], { OIDC_PROVIDERS: setting });
  expect(refused).toMatchObject({ code: 1, output: '', problems: expect.stringContaining('is not an issuer in') });
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
