import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expect, submitAccount, test } from '#e2e/support/browser/browser.ts';
import { ageProof, provePassword } from '#e2e/support/browser/owner-pages.ts';
import { createInvitations } from '#server/employees/invitations.ts';
import { findLink } from '#server/employees/personal-links.ts';

const rows = (page: Page) => page.locator('[data-employee]');

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Tindakan untuk ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

test('an owner adds, invites, edits, deactivates and activates an employee', async ({ openOwner }) => {
  const page = await openOwner('/owner/employees');
  await expect(page.getByText('Tambahkan karyawan pertama')).toBeVisible();
  await page.getByRole('button', { name: 'Tambah karyawan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(dialog.getByText('Wajib diisi')).toHaveCount(2);
  // The problem of a field disappears when somebody types in it.
  await dialog.getByRole('textbox', { name: 'Nama' }).pressSequentially('S');
  await expect(dialog.getByText('Wajib diisi')).toHaveCount(1);
  await expect(dialog.getByRole('textbox', { name: 'Peran' })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByRole('textbox', { name: 'Nama' }).fill('  Ujang <b>  ');
  await dialog.getByRole('textbox', { name: 'Peran' }).fill('Kasir');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  const row = rows(page);
  await expect(row).toContainText('Ujang <b>');
  await expect(row.getByText('Nonaktif', { exact: true })).toHaveCount(0);
  const line = page.locator('[role=status] .status-bar').filter({ hasText: 'Ujang <b> sudah ditambahkan.' });
  await line.getByRole('button', { name: 'Undang', exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Tautan undangan' })).toHaveValue(/\/invite\//);
  await dialog.getByRole('button', { name: 'Tutup' }).last().click();
  await expect(line).toHaveCount(0);

  await choose(page, 'Ujang <b>', 'Ubah');
  await dialog.getByRole('textbox', { name: 'Peran' }).fill('Kepala kasir');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(row).toContainText('Kepala kasir');

  await choose(page, 'Ujang <b>', 'Nonaktifkan');
  await expect(dialog).toContainText('tidak menerima pesan baru');
  await dialog.getByRole('button', { name: 'Nonaktifkan' }).click();
  await expect(row.getByText('Nonaktif', { exact: true }).filter({ visible: true })).toBeVisible();
  await choose(page, 'Ujang <b>', 'Aktifkan');
  await dialog.getByRole('button', { name: 'Aktifkan' }).click();
  await expect(row.getByText('Nonaktif', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Tindakan lain' }).click();
  await page.getByRole('menuitem', { name: 'Tambahkan saya' }).click();
  await expect(row.filter({ hasText: 'Pemilik Uji' })).toBeVisible();
});

test('an invitation needs a recent password; only a new link ends it', async ({ company, openOwner }) => {
  const { employeeId } = await company.hire('Siti Contoh');
  const page = await openOwner();
  await ageProof(company, 11);
  await page.goto(`/owner/employees/${employeeId}`);
  await page.getByRole('button', { name: 'Undang' }).press('Enter');
  await provePassword(page);
  await expect(page.getByRole('textbox', { name: 'Tautan undangan' })).toHaveValue(/invite/);
  const first = await page.getByRole('textbox', { name: 'Tautan undangan' }).inputValue();
  await page.getByRole('dialog').getByRole('button', { name: 'Tutup' }).last().click();
  await expect(page.locator('#account')).toContainText('Undangan berlaku sampai');
  // The button has another text now, and still the focus.
  await expect(page.getByRole('button', { name: 'Buka undangan' })).toBeFocused();
  await page.getByRole('button', { name: 'Buka undangan' }).click();
  await expect(page.getByRole('dialog')).toContainText('Ini tautan yang sama untuk Siti Contoh');
  await expect(page.getByRole('textbox', { name: 'Tautan undangan' })).toHaveValue(first);
  await page.getByRole('button', { name: 'Buat tautan baru' }).click();
  await expect(page.getByRole('textbox', { name: 'Tautan undangan' })).not.toHaveValue(first);
  await page.goto(first);
  await expect(page.getByRole('heading', { name: 'Undangan tidak berlaku' })).toBeVisible();
});

test('a row is a target; filters act on change and go by their chips', async ({ company, openOwner }) => {
  await company.hire('Budi Contoh', 'Sopir');
  const { employeeId } = await company.hire('Siti Contoh', 'Kasir');
  await company.deactivate(await company.hire('Rina Contoh', 'Kasir'));
  const page = await openOwner('/owner/employees');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Aktif');
  await expect(page).toHaveURL('/owner/employees?state=active');
  await expect(rows(page)).toHaveCount(2);
  const search = page.getByRole('searchbox', { name: 'Cari' });
  await search.fill('kas');
  await expect(page).toHaveURL('/owner/employees?q=kas&state=active');
  await expect(search).toBeFocused();
  await expect(rows(page)).toHaveCount(1);
  await search.pressSequentially('ir');
  await expect(page).toHaveURL('/owner/employees?q=kasir&state=active');
  await expect(search).toHaveValue('kasir');

  await page.getByRole('link', { name: 'Hapus saringan Status: Aktif' }).click();
  await expect(page).toHaveURL('/owner/employees?q=kasir');
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('');
  await page.goBack();
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('active');
  await expect(rows(page)).toHaveCount(1);
  // Not on the name: anywhere in the row.
  const box = await rows(page).first().boundingBox();
  await rows(page)
    .first()
    .click({ position: { x: (box?.width ?? 0) / 2, y: 8 } });
  await expect(page).toHaveURL(`/owner/employees/${employeeId}`);
});

test('all are invited at once; the print has cards only', async ({ baseURL, company, visit, openOwner }) => {
  const earlier = await company.hire('Uji Diundang');
  const [old] = await createInvitations(company.owner, [earlier.employeeId]);
  for (let hired = 0; hired < 15; hired++) await company.hire(`Uji ${hired} ${'nama panjang '.repeat(hired % 3)}`);
  await company.deactivate(await company.hire('Uji Nonaktif'));
  await company.giveAccount(await company.hire('Uji Berakun'));
  const page = await openOwner();
  await ageProof(company, 11);
  await page.goto('/owner/employees');
  await page.getByRole('button', { name: 'Tindakan lain' }).click();
  await page.getByRole('menuitem', { name: 'Undang semua yang belum' }).click();
  await page.getByRole('button', { name: 'Undang 15' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undangan untuk 15 orang' });
  await dialog.getByRole('button', { name: 'Buat 15 tautan' }).click();
  await provePassword(page);
  await expect(dialog.getByRole('button', { name: 'Cetak' })).toBeVisible();
  // A link that was handed out stays valid.
  expect(await findLink(old?.token ?? '')).not.toBeNull();
  const cards = page.locator('.sheet-card');
  await expect(cards).toHaveCount(15);
  await expect(cards.first()).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 703, height: 1032 });
  for (const hidden of [page.getByRole('banner'), dialog, page.locator('nav')])
    for (const one of await hidden.all()) await expect(one).toBeHidden();
  await expect(cards.first()).toContainText(`${company.owner.companyName}Uji 0`);
  await expect(cards.first()).toHaveCSS('break-inside', 'avoid');
  await expect(page.locator('body')).toHaveCSS('overflow', 'visible');
  const place = await cards
    .first()
    .evaluate((card) => [card.getBoundingClientRect().x, card.getBoundingClientRect().y + scrollY]);
  expect(place).toEqual([0, 0]);
  const link = (await cards.first().locator('[data-link]').textContent()) ?? '';
  expect(link).toMatch(new RegExp(`^${baseURL}/invite/[a-z2-9]{5}(-[a-z2-9]{5}){3}$`));
  const invited = await visit();
  await invited.goto(link);
  await submitAccount(invited, `uji-${randomUUID()}`);
  await expect(invited).toHaveURL('/portal/notifications');
});

test('on a phone ten chosen people are invited in six presses', async ({ page, company, signIn }) => {
  for (let hired = 0; hired < 12; hired++) await company.hire(`Uji ${'ABCDEFGHIJKL'[hired]}`);
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, company.username, '/owner/employees');
  await page.getByRole('button', { name: 'Pilih beberapa' }).click();
  await page.getByRole('checkbox', { name: 'Pilih Uji B' }).click();
  await expect(page.getByText('Tahan kotak lain')).toBeVisible();
  // A finger rests on the box of the last one.
  await page.getByRole('checkbox', { name: 'Pilih Uji K' }).click({ delay: 700 });
  await expect(page.getByText('10 dipilih')).toBeVisible();
  await page.getByRole('button', { name: 'Tindakan', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Undang 10' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undangan untuk 10 orang' });
  await dialog.getByRole('button', { name: 'Buat 10 tautan' }).click();
  const first = dialog.getByRole('link', { name: 'Kirim ke Uji B (1 dari 10)' });
  await expect(first).toHaveAttribute('href', /^https:\/\/wa\.me\/\?text=.*Uji%20B/);
  await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }));
  const [whatsApp] = await Promise.all([page.waitForEvent('popup'), first.click()]);
  await expect(whatsApp).toHaveURL(/^https:\/\/wa\.me\/.*Uji%20B/);
  await expect(dialog.getByRole('link', { name: 'Berikutnya: Uji C (2 dari 10)' })).toBeVisible();
  await expect(dialog.locator('[data-invited]').first().getByLabel('Sudah dibuka')).toBeVisible();
});
