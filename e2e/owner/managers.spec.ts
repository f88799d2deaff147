import type { Page } from 'playwright/test';
import { expect, popUps, submitAccount, test, within20s } from '#e2e/support/browser/browser.ts';
import { composer, expectAudited, sendToOne, write } from '#e2e/support/browser/owner-pages.ts';
import { listManagers } from '#e2e/support/data/owners.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { addMyself } from '#server/employees/employees.ts';
import { createJoinLink, listJoinLinks } from '#server/employees/join-requests.ts';

test.use({ viewport: { width: 360, height: 740 } });

const section = (page: Page) => page.getByRole('region', { name: 'Pemilik & manajer' });
const row = (page: Page, name: string) => section(page).getByRole('listitem').filter({ hasText: name });

test('a manager is invited, sends, sees little and loses rights', async ({ company, visit, openPortal, openOwner }) => {
  test.slow();
  await addMyself(company.owner, 'Pemilik');
  const portal = await openPortal(await company.hire('Budi Uji', 'Sopir'));
  const page = await openOwner('/owner/settings/access');
  await section(page).getByRole('button', { name: 'Undang manajer' }).click();
  await page.getByRole('dialog').locator('[name=name]').fill('Manajer Uji');
  await page.getByRole('button', { name: 'Buat tautan' }).click();
  const link = await page.getByRole('dialog').getByLabel('Tautan undangan').inputValue();
  noteSecret(link.split('/').at(-1) ?? '');
  await page.getByRole('button', { name: 'Tutup' }).last().click();
  await expect(row(page, 'Manajer Uji')).toContainText('Diundang');

  const manager = await visit({ viewport: { width: 360, height: 740 } });
  await manager.goto(link);
  await expect(manager.locator('body')).toContainText('mengundang Anda sebagai manajer');
  await submitAccount(manager, `rina-${company.username}`);
  await expect(manager).toHaveURL(/\/owner$/);
  const menu = manager.locator('nav.frame-bottom');
  await expect(menu.getByRole('link')).toHaveText(['Beranda', 'Pesan', 'Karyawan', 'Pengaturan']);
  for (const path of ['/keys', '/audit', '/statistics', '/sends/rules', '/settings/access']) {
    await manager.goto(`/owner${path}`);
    await expect(manager.getByRole('heading', { name: 'Hanya pemilik yang bisa membuka ini' })).toBeVisible();
    await expect(menu).toBeVisible();
  }
  await manager.goto('/owner/settings');
  await expect(manager.getByRole('heading', { name: 'Bahasa' })).toBeVisible();
  await expect(section(manager)).toHaveCount(0);

  await manager.goto('/owner/sends/new');
  await sendToOne(manager, 'sopir');
  await write(manager, 'Rapat pagi');
  await composer(manager).submit.click();
  await expect(manager).toHaveURL(/\/owner\/sends\/1/);
  await expect(popUps(portal).filter({ hasText: 'Rapat pagi' })).toContainText('dari Manajer Uji', within20s);

  await manager.goto('/owner/employees');
  await expect(manager.getByRole('button', { name: 'Tindakan untuk Budi Uji' })).toBeVisible();
  await expect(manager.getByText('Pemilik Uji')).toBeVisible();
  await expect(manager.getByRole('button', { name: 'Tindakan untuk Pemilik Uji' })).toHaveCount(0);
  await manager.getByRole('button', { name: 'Tindakan untuk Budi Uji' }).click();
  const allowed = ['Ubah', 'Tautan masuk baru', 'Akhiri semua sesi', 'Nonaktifkan'];
  await expect(manager.getByRole('menuitem')).toHaveText(allowed);

  const [made] = await listManagers(company.owner);
  const withManager = { ...company.owner, kind: 'manager', accountId: made?.accountId ?? 0 } as const;
  const joining = await createJoinLink(withManager, { role: null, days: 7, maxRequests: 10 });
  noteSecret(typeof joining === 'string' ? '' : joining.token);
  await page.reload();
  await page.getByRole('button', { name: 'Tindakan untuk Manajer Uji' }).click();
  await page.getByRole('menuitem', { name: 'Berhentikan sebagai manajer' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1 tautan gabung yang ia tahu');
  await dialog.getByRole('button', { name: 'Berhentikan sebagai manajer' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await listJoinLinks(company.owner)).toEqual([]);
  await expect(row(page, 'Manajer Uji')).toHaveCount(0);
  await manager.goto('/owner/employees');
  await expect(manager).toHaveURL(/\/login/);
  await expectAudited(page, 'manager.invite', 'manager.join', 'manager.remove');
  await expect(page.locator('[data-action="notification.send"]')).toContainText('Manajer Uji');
});
