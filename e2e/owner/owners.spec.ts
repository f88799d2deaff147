import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { ageProof } from '#e2e/support/browser/owner-pages.ts';
import { password } from '#e2e/support/data/company.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';

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
