import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { makePng } from '#e2e/support/data/pictures.ts';
import { test } from '#e2e/support/data/test.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { besideTested, startService } from '#e2e/support/service/service.ts';
import { exchangeRights, removeOwner } from '#server/accounts/owners/owners.ts';
import { findLogo, setLogo } from '#server/companies/logo.ts';

const people = 60_000;
// Rows of one insert: few enough for the statement timeout on a busy machine.
const batch = 5000;
const exportId = randomUUID();

// Each download has 10 to 20 MB, more than the buffers of a connection hold.
const service = await startService(besideTested);
const company = await makeCompany();
const { companyId, accountId } = company.owner;
for (let from = 1; from <= people; from += batch) {
  const numbers = sql()`generate_series(${from}::int, ${from + batch - 1}::int)`;
  await sql()`
    with added as (
      insert into employees (company_id, name, role)
      select ${companyId}, repeat('Nama ', 22) || n, repeat('Peran ', 9) from ${numbers} n returning id
    )
    insert into employment (company_id, employee_id, from_no) select ${companyId}, id, 0 from added`;
}
await sql()`insert into exports (id, company_id, created_by, finished_at) values (${exportId}, ${companyId}, ${accountId}, now())`;
for (let place = 0; place < 20; place++)
  await sql()`insert into export_parts values (${companyId}, ${exportId}, ${place}, ${Buffer.alloc(1_000_000)})`;

// The others, too, come from `download`.
const file = `/owner/settings/export/${exportId}/file`;
const downloads = Object.entries({ '/owner/employees/csv': 'manager', [file]: 'owner' });

test.each(downloads)('%s ends when its %s is removed while they read it', async (path, who) => {
  const printed = service.output().length;
  const person = await company.addManager();
  if (who === 'owner') await exchangeRights(company.owner, person.accountId, 'owner');
  const cookie = await openSessionOf(person);
  const read = async (whileWaiting: () => Promise<unknown>) => {
    const [response] = (await once(get(service.url + path, { headers: { cookie } }), 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    await once(response, 'readable');
    await whileWaiting();
    let bytes = 0;
    const error = await (async () => {
      for await (const piece of response) bytes += piece.length;
    })().catch(({ code }: NodeJS.ErrnoException) => code);
    return { bytes, error };
  };
  const whole = await read(async () => {});
  expect(whole.error).toBeUndefined();
  const ended = await read(() => removeOwner(company.owner, person.accountId, who === 'owner' ? who : 'manager'));
  expect(ended.error).toBe('ECONNRESET');
  expect(ended.bytes).toBeLessThan(whole.bytes - 1_000_000);
  expect(service.output().slice(printed)).not.toMatch(/failed to pipe|the session of a download/);
});

const ask = (path: string, cookie = '') => fetch(baseUrl + path, { headers: { cookie }, redirect: 'manual' });

test('a logo is served to its company and its guests, as a picture that may do nothing', async ({ company, other }) => {
  await setLogo(company.owner, makePng(64, 32, 6));
  const path = `/company-logo/${(await findLogo(company.owner))?.version}`;
  const employee = await company.hire();
  const token = await company.invite(employee);
  const invited = await ask(`/invite/${token}/logo`);
  expect([invited.status, invited.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect((await ask(`/invite/${await other.invite(await other.hire())}/logo`)).status).toBe(404);
  expect((await ask('/invite/nobody-s-token/logo')).status).toBe(404);

  const cookies = [company.username, await company.giveAccount(employee)].map((name) => openSessionOf(name));
  for (const cookie of await Promise.all(cookies)) {
    const response = await ask(path, cookie);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
    });
  }
  expect((await ask(`/invite/${token}/logo`)).status, 'a used invitation shows nothing').toBe(404);
  for (const cookie of ['', await openSessionOf(other.username)]) expect((await ask(path, cookie)).status).toBe(404);
});
