import type { Page } from 'playwright/test';
import { expect, popUps, test, within20s } from '#e2e/fixtures/browser.ts';
import { makeNeighbour } from '#e2e/fixtures/sends.ts';
import { password } from '#harness/company.ts';
import { noteSecret } from '#harness/secrets.ts';
import { addMyself } from '#server/employees/employees.ts';

test.use({ viewport: { width: 360, height: 740 } });

const section = (page: Page) => page.getByRole('region', { name: 'Pemilik & manajer' });
const row = (page: Page, name: string) => section(page).getByRole('listitem').filter({ hasText: name });

async function choose(page: Page, name: string, action: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: `Tindakan untuk ${name}` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('a manager is invited, sends and manages employees, sees nothing else, and loses the rights at once', async ({
  page,
  company,
  signIn,
  visit,
}) => {
  test.slow();
  const neighbour = await makeNeighbour(1);
  await addMyself(company.owner, 'Pemilik');
  const employee = await company.hire('Budi Uji', 'Sopir');
  const portal = await visit();
  await signIn(portal, await company.giveAccount(employee));
  await signIn(page, company.username);
  await page.goto('/owner/settings');
  await section(page).getByRole('button', { name: 'Undang manajer' }).click();
  await page.getByRole('dialog').locator('[name=name]').fill('Rina');
  await page.getByRole('button', { name: 'Buat tautan' }).click();
  const link = await page.getByRole('dialog').getByLabel('Tautan undangan').inputValue();
  noteSecret(link.split('/').at(-1) ?? '');
  await page.getByRole('button', { name: 'Tutup' }).last().click();
  await expect(row(page, 'Rina')).toContainText('Diundang');

  const rina = await visit({ viewport: { width: 360, height: 740 } });
  await rina.goto(link);
  await expect(rina.getByText('mengundang Anda sebagai manajer')).toBeVisible();
  await rina.locator('[name=username]').fill(`rina-${company.username}`);
  await rina.locator('[name=password]').fill(password);
  await rina.locator('button[type=submit]').click();
  await expect(rina).toHaveURL(/\/owner$/);
  const menu = rina.locator('nav.frame-bottom');
  await expect(menu.getByRole('link')).toHaveText(['Beranda', 'Terkirim', 'Karyawan', 'Pengaturan']);
  for (const path of ['/owner/keys', '/owner/audit', '/owner/statistics', '/owner/sends/rules']) {
    await rina.goto(path);
    await expect(rina).toHaveURL(/\/owner$/);
  }
  await rina.goto('/owner/settings');
  await expect(rina.getByRole('heading', { name: 'Bahasa' })).toBeVisible();
  await expect(section(rina)).toHaveCount(0);

  await rina.goto('/owner/sends/new');
  await rina.getByRole('radio', { name: 'Satu karyawan' }).check();
  await rina.getByRole('combobox', { name: 'Karyawan' }).fill('sopir');
  await rina.getByRole('option', { name: /Budi Uji/ }).click();
  await rina.getByRole('textbox', { name: 'Judul' }).fill('Rapat pagi');
  await rina.getByRole('textbox', { name: 'Isi' }).fill('Pukul tujuh di gudang.');
  await rina.getByRole('button', { name: /^Kirim( ke|$)/ }).click();
  await expect(rina).toHaveURL(/\/owner\/sends\/1/);
  await expect(popUps(portal).filter({ hasText: 'Rapat pagi' })).toContainText('dari Rina', within20s);

  await rina.goto('/owner/employees');
  await expect(rina.getByRole('button', { name: 'Tindakan untuk Budi Uji' })).toBeVisible();
  await expect(rina.getByText('Pemilik Uji')).toBeVisible();
  await expect(rina.getByRole('button', { name: 'Tindakan untuk Pemilik Uji' })).toHaveCount(0);
  await rina.getByRole('button', { name: 'Tindakan untuk Budi Uji' }).click();
  await expect(rina.getByRole('menuitem')).toHaveText([
    'Ubah',
    'Tautan masuk baru',
    'Akhiri semua sesi',
    'Nonaktifkan',
  ]);
  await expect(rina.locator('body')).not.toContainText(neighbour.names);

  await page.reload();
  await choose(page, 'Rina', 'Berhentikan sebagai manajer');
  await expect(row(page, 'Rina')).toHaveCount(0);
  await rina.goto('/owner/employees');
  await expect(rina).toHaveURL(/\/login/);
  await page.goto('/owner/audit');
  for (const action of ['manager.invite', 'manager.join', 'manager.remove'])
    await expect(page.locator(`[data-action="${action}"]`)).toHaveCount(1);
  await expect(page.locator('[data-action="notification.send"]')).toContainText('Rina');
  await Promise.all([portal, rina].map((one) => one.context().close()));
});

test('an employee becomes a manager, then an owner, and a manager again', async ({ page, company, signIn, visit }) => {
  const employee = await company.hire('Budi Santoso');
  const username = await company.giveAccount(employee);
  await signIn(page, company.username);
  await page.goto(`/owner/employees/${employee.employeeId}`);
  await page.getByRole('button', { name: 'Jadikan manajer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Jadikan manajer' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto('/owner/settings');
  await expect(row(page, 'Budi Santoso')).toContainText('Juga karyawan');
  const other = await visit({ viewport: { width: 360, height: 740 } });
  await signIn(other, username);
  await other.goto('/owner');
  await expect(other.locator('nav.frame-bottom').getByRole('link')).toHaveCount(4);
  await choose(page, 'Budi Santoso', 'Jadikan pemilik');
  await expect(row(page, 'Budi Santoso')).toContainText('Pemilik sejak');
  await choose(page, 'Budi Santoso', 'Jadikan manajer');
  await expect(row(page, 'Budi Santoso')).not.toContainText('Pemilik sejak');
  await other.reload();
  await expect(other).toHaveURL(/\/login/);
  await other.context().close();
});
