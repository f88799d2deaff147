import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { makePng } from '#e2e/support/data/pictures.ts';
import { rememberBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { listAudit } from '#server/audit/list.ts';
import { findLogo, findLogoOfBrowser, readLogo, removeLogo, setLogo } from '#server/companies/logo.ts';

test('a version with NUL is no version of a logo', async () => {
  const { owner } = await makeCompany();
  expect(await readLogo(owner, '\0')).toBeNull();
});

test('a logo is set, replaced and removed, each with an entry of the audit log, for one company', async () => {
  const [{ owner }, other] = [await makeCompany(), await makeCompany()];
  expect(await setLogo(owner, makePng(8, 4, 1))).toBe('changed');
  const first = await findLogo(owner);
  expect(first).toMatchObject({ width: 8, height: 4, version: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(await setLogo(owner, makePng(8, 4, 1))).toBe('unchanged');
  expect(await setLogo(owner, makePng(8, 4, 2))).toBe('changed');
  const second = await findLogo(owner);
  expect(await readLogo(owner, first?.version)).toBeNull();
  expect((await readLogo(owner, second?.version))?.subarray(1, 4).toString()).toBe('PNG');
  expect(await readLogo(other.owner, second?.version)).toBeNull();
  expect(await removeLogo(other.owner)).toBe('no-logo');
  expect(await removeLogo(owner)).toBe('removed');
  expect(await findLogo(owner)).toBeNull();
  const changes = (await listAudit(owner)).entries.filter(({ action }) => action === 'company.edit');
  expect(changes.map(({ details }) => details.changes)).toEqual([
    { logo: '' },
    { logo: second?.version },
    { logo: first?.version },
  ]);
});

test('a browser is shown the logo of the company that signed in there last, while it still may', async () => {
  const company = await makeCompany();
  const { companyId, accountId } = company.owner;
  await setLogo(company.owner, makePng(8, 4, 3));
  const cookieOf = async (account: { companyId: number; accountId: number; sessionVersion: number }, before = '') => {
    const { name, value } = await rememberBrowser(before, account);
    return `${name}=${value}`;
  };
  const own = await cookieOf({ companyId, accountId, sessionVersion: 1 });
  expect(await findLogoOfBrowser(own)).toMatchObject({ companyId, width: 8 });
  expect(await findLogoOfBrowser(await cookieOf({ companyId, accountId, sessionVersion: 0 }))).toBeNull();
  const other = await makeCompany();
  const later = { companyId: other.owner.companyId, accountId: other.owner.accountId, sessionVersion: 1 };
  expect(await findLogoOfBrowser(await cookieOf(later, own))).toBeNull();
  expect(await findLogoOfBrowser(null)).toBeNull();
  expect(await findLogoOfBrowser(`${own.split('=')[0]}=made-up`)).toBeNull();
});
