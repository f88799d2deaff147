import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { expect, test } from '#e2e/fixtures/browser.ts';
import { ageProof } from '#e2e/fixtures/owner-pages.ts';
import { password } from '#harness/company.ts';
import { noteSecret } from '#harness/secrets.ts';
import { createOperatorLink } from '#server/accounts/owner-links.ts';
import { listOwners } from '#server/accounts/owners.ts';

const section = (page: Page) => page.getByRole('region', { name: 'Pemilik & manajer' });
const row = (page: Page, name: string) => section(page).getByRole('listitem').filter({ hasText: name });

async function choose(page: Page, name: string, action: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: `Tindakan untuk ${name}` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function readLink(page: Page, label: string): Promise<string> {
  const link = await page.getByRole('dialog').getByLabel(label).inputValue();
  noteSecret(link.split('/').at(-1) ?? '');
  return link;
}

async function accept(page: Page, link: string, username?: string): Promise<void> {
  await page.goto(link);
  if (username) await page.locator('[name=username]').fill(username);
  await page.locator('[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await expect(page).toHaveURL(/\/owner$/);
}

test('an owner invites another one, sends a new sign-in link, and removes the other at once', async ({
  page,
  company,
  signIn,
  visit,
}) => {
  await signIn(page, company.username, '/owner/settings/access');
  await expect(section(page)).toContainText('Anda satu-satunya pemilik');
  await expect(section(page).getByRole('button', { name: 'Berhenti menjadi pemilik' })).toHaveCount(0);
  // The step gives access, so it asks for the password first.
  await ageProof(company, 60);
  await section(page).getByRole('button', { name: 'Undang pemilik' }).click();
  await page.getByRole('dialog').locator('[name=name]').fill('Sari');
  await page.getByRole('button', { name: 'Buat tautan' }).click();
  const prove = page.getByRole('dialog').filter({ has: page.locator('[name=password]') });
  await prove.locator('[name=password]').fill(password);
  await prove.locator('button[type=submit]').click();
  const invitation = await readLink(page, 'Tautan undangan');
  await page.getByRole('button', { name: 'Tutup' }).last().click();
  await expect(row(page, 'Sari')).toContainText('Diundang');

  const other = await visit();
  await accept(other, invitation, `sari-${company.username}`);
  await page.reload();
  await expect(row(page, 'Sari')).toContainText('Terakhir masuk');

  await choose(page, 'Sari', 'Tautan masuk baru');
  await page.getByRole('button', { name: 'Buat tautan' }).click();
  const link = await readLink(page, 'Tautan masuk');
  await page.getByRole('button', { name: 'Tutup' }).last().click();
  await accept(other, link);

  await choose(page, 'Sari', 'Berhentikan sebagai pemilik');
  await page.getByRole('dialog').getByRole('button', { name: 'Berhentikan sebagai pemilik' }).click();
  await expect(row(page, 'Sari')).toHaveCount(0);
  await other.reload();
  await expect(other).toHaveURL(/\/login/);
  await page.goto('/owner/audit');
  for (const action of ['owner.invite', 'owner.join', 'owner.link', 'owner.renew', 'owner.remove'])
    await expect(page.locator(`[data-action="${action}"]`)).toHaveCount(1);
  await other.context().close();
});

test('an employee becomes an owner, and the first owner leaves', async ({ page, company, signIn, visit }) => {
  const employee = await company.hire('Budi Santoso');
  const username = await company.giveAccount(employee);
  await signIn(page, company.username, `/owner/employees/${employee.employeeId}`);
  await page.getByRole('button', { name: 'Jadikan pemilik' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Jadikan pemilik' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto('/owner/settings/access');
  await expect(row(page, 'Budi Santoso')).toContainText('Juga karyawan');
  await section(page).getByRole('button', { name: 'Berhenti menjadi pemilik' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Berhenti menjadi pemilik' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect((await listOwners(company.owner)).map(({ name }) => name)).toEqual(['Budi Santoso']);
  const other = await visit();
  await signIn(other, username);
  await other.goto('/owner/settings/access');
  await expect(section(other)).toContainText('Anda satu-satunya pemilik');
  await other.context().close();
});

test('an unused invitation of an owner is cancelled, and its link says what to do', async ({
  page,
  company,
  signIn,
}) => {
  await signIn(page, company.username, '/owner/settings/access');
  await section(page).getByRole('button', { name: 'Undang pemilik' }).click();
  await page.getByRole('dialog').locator('[name=name]').fill('Tono');
  await page.getByRole('button', { name: 'Buat tautan' }).click();
  const link = await readLink(page, 'Tautan undangan');
  await page.getByRole('button', { name: 'Tutup' }).last().click();
  await row(page, 'Tono').getByRole('button', { name: 'Batalkan undangan untuk Tono' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Batalkan undangan' }).click();
  await expect(row(page, 'Tono')).toHaveCount(0);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Undangan tidak berlaku' })).toBeVisible();
});

test('the first page of an owner says what others changed about the owners', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const { companyId } = company.owner;
  const employee = await company.hire();
  await company.giveAccount(employee);
  await send({});
  await sql()`insert into receipts (company_id, employee_id, no, shown_at)
    values (${companyId}, ${employee.employeeId}, 1, now())`;
  expect(await createOperatorLink(company.username)).toHaveProperty('token');
  await signIn(page, company.username);
  const changes = page.getByRole('region', { name: 'Perubahan pemilik' });
  await expect(changes.getByRole('listitem')).toHaveCount(1);
  await expect(changes).toContainText('Membuat tautan masuk untuk pemilik Pemilik Uji');
  await expect(changes).toContainText('Pengelola layanan');
  await changes.getByRole('link', { name: 'Lihat pemilik & manajer' }).click();
  await expect(section(page)).toBeInViewport();
});
