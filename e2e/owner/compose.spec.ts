import type { Page } from 'playwright/test';
import { afterUndoTime, entries, expect, popUps, test, within20s } from '#e2e/support/browser/browser.ts';
import { makeNeighbour } from '#e2e/support/data/sends.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { listSends } from '#server/sends/history/list.ts';

const form = (page: Page) => ({
  title: page.getByRole('textbox', { name: 'Judul' }),
  body: page.getByRole('textbox', { name: 'Isi' }),
  link: page.getByRole('textbox', { name: 'Tautan' }),
  submit: page.getByRole('button', { name: /^Kirim( ke|$)/ }),
});

test('a notification by hand reaches one employee; the form has counters, problems and a preview', async ({
  page,
  company,
  signIn,
  visit,
}) => {
  const neighbour = await makeNeighbour(1);
  const employee = await company.hire('Budi Uji', 'Sopir');
  const other = await company.hire('Siti Uji', 'Kasir');
  const portal = await visit();
  await signIn(portal, await company.giveAccount(employee));
  await signIn(page, company.username, '/owner/sends');
  await page.getByRole('link', { name: 'Kirim pesan' }).click();
  await expect(page.getByRole('radio', { name: 'Semua karyawan aktif (2 orang)' })).toBeChecked();
  await page.getByRole('radio', { name: 'Satu orang' }).check();
  const { title, body, link, submit } = form(page);
  await submit.click();
  for (const text of ['Pilih karyawannya', 'Judul wajib diisi', 'Isi wajib diisi'])
    await expect(page.getByText(text)).toBeVisible();
  const chooser = page.getByRole('combobox', { name: 'Karyawan' });
  await chooser.fill('Tetangga');
  await expect(page.getByText('Tidak ada karyawan yang cocok')).toBeVisible();
  await chooser.fill('sopir');
  await page.getByRole('option', { name: /Budi Uji · Sopir/ }).click();

  await title.fill('😀'.repeat(draftLimits.title + 1));
  await expect(page.getByText(`${draftLimits.title + 1} dari ${draftLimits.title}`)).toBeVisible();
  await link.fill('https://contoh.test');
  await submit.click();
  await expect(page.getByText(`Judul maksimal ${draftLimits.title} karakter`)).toBeVisible();
  await expect(page.getByText('Tautan harus diawali satu “/”')).toBeVisible();
  await title.fill('😀'.repeat(draftLimits.title));
  await body.fill(' Baris satu\nBaris dua ');
  await link.fill('/portal/help');
  await page.getByLabel('Jenis').selectOption('gaji');
  await expect(page.locator('[data-preview=shown]')).toContainText(/Baris satu\s+Baris dua.*Gaji · dari Pemilik Uji/s);
  await expect(page.locator('[data-preview=hidden]')).toContainText('Isi disembunyikan');
  await body.press('Control+Enter');
  await expect(page).toHaveURL(/\/owner\/sends\/1\?sent$/);
  await expect(page.getByText('Terkirim ke 1 penerima.')).toBeVisible();
  await expect(page.locator('[data-person]')).toHaveCount(1);

  const popUp = popUps(portal).filter({ hasText: '😀' });
  await expect(popUp).toContainText('dari Pemilik Uji di perusahaan Anda', within20s);
  await portal.goto('/portal/notifications');
  await expect(entries(portal)).toHaveCount(1);
  await entries(portal).getByRole('link').click();
  await expect(portal.getByRole('link', { name: 'Buka tautan' })).toHaveAttribute('href', '/portal/help');
  await page.goto(`/owner/sends?employee=${other.employeeId}`);
  await expect(page.locator('[data-send]')).toHaveCount(0);
  await page.goto('/owner/audit');
  await expect(page.locator('[data-action="notification.send"]')).toContainText(/Pemilik Uji.*ke Budi Uji/s);
  await expect(page.locator('body')).not.toContainText(neighbour.names);
  await portal.context().close();
});

test('a draft is sent once despite a double click and a lost response; a changed draft is sent again', async ({
  page,
  company,
  signIn,
}) => {
  const neighbour = await makeNeighbour(1);
  await company.hire();
  await company.hire();
  await signIn(page, company.username, '/owner/sends/new');
  const { title, body, submit } = form(page);
  await title.fill('Sekali saja');
  await body.fill('Isi');
  // The server receives the first request, the browser loses the response.
  let lost = 0;
  await page.route('**/owner/sends/new', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await submit.click();
  await expect(page.getByText('Terjadi kesalahan. Coba lagi.')).toBeVisible();
  await expect(title).toHaveValue('Sekali saja');
  await submit.dblclick();
  await expect(page).toHaveURL(/\/owner\/sends\/1\?sent$/, afterUndoTime);
  await expect(page.getByText('Terkirim ke 2 penerima.')).toBeVisible();
  const sent = async () => (await listSends(company.owner)).sends.map((one) => one.title);
  expect(await sent()).toEqual(['Sekali saja']);
  await page.goto('/owner/sends/new');
  await title.fill('Sekali saja');
  await body.fill('Isi lain');
  await submit.click();
  await expect(page).toHaveURL(/\/owner\/sends\/\d+\?sent$/, afterUndoTime);
  expect(await sent()).toEqual(['Sekali saja', 'Sekali saja']);
  expect((await listSends(neighbour.company.owner)).sends).toHaveLength(1);
});

test('the form warns before and after a send that reaches nobody, and preselects own employees only', async ({
  page,
  company,
  signIn,
}) => {
  const neighbour = await makeNeighbour(1);
  const employee = await company.hire('Yang Pergi');
  await company.deactivate(employee);
  await signIn(page, company.username, `/owner/sends/new?to=${employee.employeeId}`);
  await expect(page.getByRole('combobox', { name: 'Karyawan' })).toHaveValue(/Yang Pergi/);
  await expect(page.getByText('Yang Pergi nonaktif dan tidak akan menerimanya.')).toBeVisible();
  await form(page).title.fill('Tidak sampai');
  await form(page).body.fill('Isi');
  await form(page).submit.click();
  await expect(page.getByText('Tidak ada penerima: semuanya nonaktif')).toBeVisible();
  await page.goto(`/owner/sends/new?to=${neighbour.employee.employeeId}`);
  await expect(page.getByRole('radio', { name: /Semua karyawan aktif/ })).toBeChecked();
  await expect(page.getByText('Belum ada karyawan aktif: tidak ada yang akan menerimanya')).toBeVisible();
  await expect(page.locator('body')).not.toContainText(neighbour.names);
});

test('a send to everyone names the number of people and can be undone; it leaves without the page', async ({
  page,
  company,
  signIn,
  visit,
}) => {
  const portal = await visit();
  await signIn(portal, await company.giveAccount(await company.hire('Budi Uji')));
  await company.hire('Siti Uji');
  await signIn(page, company.username, '/owner/sends/new');
  const { title, body } = form(page);
  await title.fill('Rapat jam tiga');
  await body.fill('Di gudang');
  const submit = page.getByRole('button', { name: 'Kirim ke 2 orang' });
  await submit.click();
  await expect(page.getByText('Akan dikirim ke 2 orang')).toBeVisible();
  await expect(page.getByText(/Terkirim dalam \d+ detik/)).toBeVisible();
  await page.getByRole('button', { name: 'Batalkan' }).click();
  await expect(page.getByText('Dibatalkan. Tidak ada yang terkirim.')).toBeVisible();
  expect((await listSends(company.owner)).sends).toEqual([]);
  await expect(title).toHaveValue('Rapat jam tiga');
  await title.fill('Rapat jam empat');
  await submit.click();
  await expect(page.getByText('Akan dikirim ke 2 orang')).toBeVisible();
  await page.goto('/docs');
  await expect(popUps(portal).filter({ hasText: 'Rapat jam empat' })).toBeVisible(afterUndoTime);
  expect((await listSends(company.owner)).sends.map((one) => one.title)).toEqual(['Rapat jam empat']);
  await page.goto('/owner/audit');
  await expect(page.locator('[data-action="notification.undo"]')).toContainText('Membatalkan “Rapat jam tiga”');
  await expect(page.locator('[data-action="notification.send"]')).toHaveCount(1);
  await portal.context().close();
});
