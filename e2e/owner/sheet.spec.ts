import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { ageProof } from '#e2e/support/browser/owner-pages.ts';
import { makeCompany, password } from '#e2e/support/data/company.ts';
import { createInvitations, findInvitation } from '#server/employees/invitations.ts';

const cards = (page: Page) => page.locator('.sheet-card');

async function openSheet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Tindakan lain' }).click();
  await page.getByRole('menuitem', { name: 'Cetak undangan' }).click();
}

test('a sheet has invitations for the chosen employees, and asks before it ends earlier links', async ({
  page,
  baseURL,
  company,
  signIn,
  visit,
}) => {
  const other = await makeCompany();
  await other.hire('Orang Lain');
  const earlier = await company.hire('Uji Diundang');
  const [old] = await createInvitations(company.owner, [earlier.employeeId]);
  await company.hire('Uji Baru');
  await company.hire('Uji Dilewati');
  await company.deactivate(await company.hire('Uji Nonaktif'));
  await company.giveAccount(await company.hire('Uji Berakun'));
  await signIn(page, company.username);
  await ageProof(company, 11);
  await page.goto('/owner/employees');
  await openSheet(page);
  // Who holds a link is not chosen at first.
  await expect(page.getByText('2 dari 3 dipilih')).toBeVisible();
  await expect(page.getByText('1 orang yang sudah punya tautan atau akun tidak dipilih')).toBeVisible();
  await page.getByRole('checkbox', { name: /Uji Diundang/ }).check();
  await page.getByRole('checkbox', { name: /Uji Dilewati/ }).uncheck();
  await page.getByRole('button', { name: 'Buat 2 undangan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Buat 2 undangan?' });
  await expect(dialog).toContainText('Tautannya hanya ditampilkan satu kali');
  await expect(dialog).toContainText('1 orang sudah memegang tautan yang masih berlaku');
  expect(await findInvitation(old?.token ?? '')).not.toBeNull();
  await dialog.getByRole('button', { name: 'Buat 2 undangan' }).click();
  await page.getByLabel('Kata sandi sekarang').fill(password);
  await page.getByRole('button', { name: 'Lanjutkan' }).click();

  await expect(cards(page)).toHaveCount(2);
  await expect(page.getByText('Tautan ini hanya ada di halaman ini.')).toBeVisible();
  await expect(cards(page).nth(0)).toContainText(`${company.owner.companyName}Uji Baru`);
  await expect(cards(page).nth(1)).toContainText('Uji Diundang');
  await expect(cards(page).getByRole('img')).toHaveCount(2);
  await expect(page.getByText('Orang Lain')).toHaveCount(0);
  expect(await findInvitation(old?.token ?? '')).toBeNull();

  const link = (await cards(page).nth(0).locator('[data-link]').textContent()) ?? '';
  expect(link).toMatch(new RegExp(`^${baseURL}/invite/[a-z2-9]{5}(-[a-z2-9]{5}){3}$`));
  const invited = await visit();
  await invited.goto(link);
  await invited.locator('[name=username]').fill(`uji-${randomUUID()}`);
  await invited.locator('[name=password]').fill(password);
  await invited.getByRole('button', { name: 'Buat akun dan masuk' }).click();
  await expect(invited.getByRole('heading', { name: 'Halo, Uji Baru' })).toBeVisible();
  await invited.context().close();
});

test('the print contains only the cards, and no card spans two pages', async ({ page, company, signIn }) => {
  const other = await makeCompany();
  await other.hire('Orang Lain');
  for (let hired = 0; hired < 15; hired++) await company.hire(`Uji ${hired} ${'nama panjang '.repeat(hired % 3)}`);
  await signIn(page, company.username, '/owner/employees/sheet?account=none');
  await page.getByRole('button', { name: 'Buat 15 undangan' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Buat 15 undangan' }).click();
  await expect(cards(page)).toHaveCount(15);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 703, height: 1032 });
  for (const hidden of [page.getByRole('banner'), page.getByText(/hanya ada di halaman ini/), page.locator('nav')])
    for (const one of await hidden.all()) await expect(one).toBeHidden();
  await expect(cards(page).first()).toHaveCSS('break-inside', 'avoid');
  // A print begins at the top, wherever the page was scrolled to.
  const place = await cards(page)
    .first()
    .evaluate((card) => [card.getBoundingClientRect().x, card.getBoundingClientRect().y + scrollY]);
  expect(place).toEqual([0, 0]);
  await expect(page.getByText('Orang Lain')).toHaveCount(0);
});

test('the sheet of people chosen in the list has these people only', async ({ page, company, signIn }) => {
  for (const name of ['Uji Satu', 'Uji Dua', 'Uji Tiga']) await company.hire(name);
  await signIn(page, company.username, '/owner/employees');
  for (const name of ['Uji Satu', 'Uji Tiga']) await page.getByRole('checkbox', { name: `Pilih ${name}` }).check();
  await page.getByRole('link', { name: 'Cetak' }).click();
  await expect(page.getByText('2 dari 2 dipilih')).toBeVisible();
  await expect(page.getByText('Uji Dua')).toHaveCount(0);
});
