import type { Locator, Page } from 'playwright/test';
import sharp from 'sharp';
import {
  afterUndoTime,
  composer,
  entries,
  expect,
  heldBar,
  popUps,
  sendTo,
  steady,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { listSends } from '#server/sends/history/send-list.ts';

async function write(page: Page, title: string, body = 'Isi'): Promise<void> {
  await composer(page).title.fill(title);
  await composer(page).body.fill(body);
}

test('a notification by hand reaches one employee; the form has counters, problems and a preview', async ({
  page,
  company,
  signIn,
  visit,
}) => {
  const employee = await company.hire('Budi Uji', 'Sopir');
  const other = await company.hire('Siti Uji', 'Kasir');
  const portal = await visit();
  await signIn(portal, await company.giveAccount(employee));
  await signIn(page, company.username, '/owner/sends');
  await page.getByRole('link', { name: 'Kirim pesan' }).click();
  const { to, options, title, body, link, submit } = composer(page);
  await expect(to).toHaveText('KepadaSemua(2 orang)');
  await sendTo(page, 'Satu orang');
  await submit.click();
  for (const text of ['Pilih karyawannya', 'Judul wajib diisi', 'Isi wajib diisi'])
    await expect(page.getByText(text)).toBeVisible();
  const chooser = page.getByRole('combobox', { name: 'Karyawan' });
  await chooser.fill('Bukan siapa-siapa');
  await expect(page.getByText('Tidak ada karyawan yang cocok')).toBeVisible();
  await chooser.fill('sopir');
  await page.getByRole('option', { name: /Budi Uji · Sopir/ }).click();

  await title.fill('😀'.repeat(draftLimits.title + 1));
  await expect(page.getByText(`${draftLimits.title + 1} dari ${draftLimits.title}`)).toBeVisible();
  await expect(page.getByText(`Judul maksimal ${draftLimits.title} karakter`), 'without a submit').toBeVisible();
  await expect(page.getByText('Judul wajib diisi')).toHaveCount(0);
  await options.click();
  await link.fill('https://contoh.test');
  await expect(page.getByText('Tautan harus diawali satu “/”')).toBeVisible();
  await write(page, '😀'.repeat(draftLimits.title), ' Baris satu\nBaris dua ');
  await link.fill('/slip/2026-11');
  await submit.click();
  await expect(page.getByText('Alamat ini tidak ada di sini')).toBeVisible();
  await link.fill('/portal/help');
  await page.getByLabel('Jenis').selectOption('gaji');
  await expect(options).toHaveText('OpsiGaji · dengan tautan · sekarang');
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
});

test('a draft is sent once despite a double click and a lost response; a changed draft is sent again', async ({
  page,
  company,
  signIn,
}) => {
  await company.hire();
  await company.hire();
  await signIn(page, company.username, '/owner/sends/new');
  const { title, submit } = composer(page);
  await write(page, 'Sekali saja');
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
  await expect(page).toHaveURL(/\/owner\/sends$/);
  await expect(heldBar(page)).toContainText('Terkirim ke 2 orang', afterUndoTime);
  await expect(page.locator('[data-send="1"]')).toContainText('Sekali saja');
  const sent = async () => (await listSends(company.owner)).sends.map((one) => one.title);
  expect(await sent()).toEqual(['Sekali saja']);
  await page.goto('/owner/sends/new');
  await write(page, 'Sekali saja', 'Isi lain');
  await submit.click();
  await expect(heldBar(page)).toContainText('Terkirim ke 2 orang', afterUndoTime);
  expect(await sent()).toEqual(['Sekali saja', 'Sekali saja']);
});

test('the form warns before and after a send that reaches nobody', async ({ page, company, signIn }) => {
  const employee = await company.hire('Yang Pergi');
  await company.deactivate(employee);
  await signIn(page, company.username, `/owner/sends/new?to=${employee.employeeId}`);
  await expect(composer(page).to).toContainText('Yang Pergi');
  await expect(page.getByText('Yang Pergi nonaktif dan tidak akan menerimanya.')).toBeVisible();
  await write(page, 'Tidak sampai');
  await composer(page).submit.click();
  await expect(page.getByText('Tidak ada penerima: semuanya nonaktif')).toBeVisible();
  await page.goto('/owner/sends/new?to=999999999');
  await expect(composer(page).to).toHaveText('KepadaSemua(tidak ada yang aktif)');
  await expect(page.getByText('Belum ada karyawan aktif: tidak ada yang akan menerimanya')).toBeVisible();
});

test('a send to everyone can be undone on each page and device; it leaves without a page', async ({
  page,
  company,
  signIn,
  visit,
}) => {
  const [portal, phone] = [await visit(), await visit({ viewport: { width: 360, height: 740 } })];
  await signIn(portal, await company.giveAccount(await company.hire('Budi Uji')));
  await company.hire('Siti Uji');
  await signIn(phone, company.username, '/owner/employees');
  await signIn(page, company.username, '/owner/sends/new');
  await write(page, 'Rapat jam tiga');
  await page.getByRole('button', { name: 'Kirim ke 2 orang' }).click();
  await expect(page).toHaveURL(/\/owner\/sends$/);
  const waits = /Terkirim dalam \d+ detikRapat jam tiga.*Urungkan/;
  await expect(heldBar(page)).toHaveText(waits);
  await page.goto('/owner/settings');
  await expect(heldBar(page), 'after a reload').toHaveText(waits);
  await expect(heldBar(phone), 'on another device').toHaveText(waits);
  await heldBar(phone).getByRole('button', { name: 'Urungkan' }).click();
  await expect(phone.getByText('Dibatalkan. Tidak ada yang terkirim.')).toBeVisible();
  await expect(composer(phone).title).toHaveValue('Rapat jam tiga');
  await expect(heldBar(page)).not.toContainText('Terkirim dalam');
  expect((await listSends(company.owner)).sends).toEqual([]);

  await composer(phone).title.fill('Rapat jam empat');
  await phone.getByRole('button', { name: 'Kirim ke 2 orang' }).click();
  await expect(heldBar(phone)).toContainText('Terkirim dalam');
  await phone.goto('/docs');
  await expect(heldBar(page)).toHaveText(/Terkirim ke 2 orangRapat jam empatLihat/, afterUndoTime);
  await heldBar(page).getByRole('link', { name: 'Lihat' }).click();
  await expect(page).toHaveURL(/\/owner\/sends\/1$/);
  await expect(popUps(portal).filter({ hasText: 'Rapat jam empat' })).toBeVisible(within20s);
  expect((await listSends(company.owner)).sends.map((one) => one.title)).toEqual(['Rapat jam empat']);
  await page.goto('/owner/audit');
  await expect(page.locator('[data-action="notification.undo"]')).toContainText('Membatalkan “Rapat jam tiga”');
  await expect(page.locator('[data-action="notification.send"]')).toHaveCount(1);
});

test('an undo of the last second counts at a slow service, and a later one offers to withdraw', async ({
  page,
  company,
  signIn,
}) => {
  await company.hire('Budi Uji');
  await company.hire('Siti Uji');
  await signIn(page, company.username, '/owner/sends/new');
  let opened = Promise.resolve();
  await page.route('**/owner/**', async (route) => {
    if (route.request().method() === 'POST') await opened;
    await route.continue();
  });
  const undoSlowly = async (text: string, second: string) => {
    await write(page, text);
    await composer(page).submit.click();
    await expect(heldBar(page)).toContainText(`dalam ${second} detik`, within20s);
    const gate = Promise.withResolvers<void>();
    opened = gate.promise;
    await heldBar(page).getByRole('button', { name: 'Urungkan' }).click();
    return gate.resolve;
  };
  const answer = await undoSlowly('Rapat jam tiga', '1');
  await expect(heldBar(page)).toContainText('Sedang dikirim');
  answer();
  await expect(page.getByText('Dibatalkan. Tidak ada yang terkirim.')).toBeVisible();
  const answerLate = await undoSlowly('Rapat jam empat', '2');
  await expect(heldBar(page)).toContainText('Terkirim ke 2 orang', afterUndoTime);
  answerLate();
  await expect(heldBar(page)).toContainText('Terlambat, sudah terkirim ke 2 orang');
  await heldBar(page).getByRole('button', { name: 'Tarik' }).click();
  await expect(page.locator('[data-send="1"]')).toContainText('Ditarik');
});

test('a draft stays on the device without a network, in all tabs, until it is sent or thrown away', async ({
  page,
  company,
  signIn,
}) => {
  const employee = await company.hire('Budi Uji');
  await signIn(page, company.username, '/owner/sends/new');
  const { title, body, options, submit } = composer(page);
  await page.context().setOffline(true);
  await write(page, 'Jadwal minggu depan', 'Lihat papan.');
  await options.click();
  await page.getByLabel('Jenis').selectOption('absen');
  await expect(page.getByText('Draf tersimpan di perangkat ini')).toBeVisible();
  await submit.click();
  await expect(page.getByText(/sedang offline. Belum ada yang dikirim/)).toBeInViewport({ ratio: 1 });
  await page.context().setOffline(false);
  await page.reload();
  await expect(title).toHaveValue('Jadwal minggu depan');
  await expect(options).toContainText('Absensi');
  await page.goto(`/owner/sends/new?to=${employee.employeeId}`);
  await expect(title, 'another message').toHaveValue('');
  await page.goBack();
  await expect(title).toHaveValue('Jadwal minggu depan');
  const tab = steady(await page.context().newPage());
  const other = composer(tab);
  await tab.goto('/owner/sends/new');
  await expect(other.body).toHaveValue('Lihat papan.');
  await other.body.fill('Jam delapan.');
  await expect(body).toHaveValue('Jam delapan.');
  await expect(title).toHaveValue('Jadwal minggu depan');
  await tab.getByRole('button', { name: 'Buang' }).click();
  for (const field of [title, other.title]) await expect(field).toHaveValue('');
  await tab.reload();
  await expect(other.title).toHaveValue('');
  const kept = () => tab.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('draft ')));
  await write(tab, 'Sekali lagi');
  await expect(title).toHaveValue('Sekali lagi');
  expect(await kept()).toHaveLength(1);
  await other.submit.click();
  await expect(tab).toHaveURL(/\/owner\/sends$/);
  expect(await kept()).toEqual([]);
  await expect(title, 'it is sent').toHaveValue('');
  await expect(page.getByRole('button', { name: 'Buang' })).toBeHidden();
  await title.fill('Gaji Budi');
  await page.close();
  expect(await kept(), 'its tab is closed').toHaveLength(1);
  await tab.getByRole('button', { name: /^Akun/ }).click();
  await tab.getByRole('button', { name: 'Keluar' }).click();
  await expect(tab).toHaveURL(/\/login/);
  expect(await kept()).toEqual([]);
});

// A photo of a phone that was held upright: its pixels lie, and the file says so.
const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
const takePhoto = () =>
  sharp({ create: { width: 2600, height: 1300, channels: 3, background: 'grey', noise } })
    .blur(9)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 100 })
    .toBuffer();

const wordsOf = async (part: Locator) => (await part.textContent())?.replaceAll(/\s+/g, ' ').trim();

test('a picture is turned upright, made small and shown to the recipient only', async ({
  page,
  company,
  signIn,
  visit,
  request,
}) => {
  test.setTimeout(150_000);
  const [siti, budi] = [await company.hire('Siti Uji'), await company.hire('Budi Uji')];
  const [portal, other] = [await visit(), await visit()];
  await signIn(portal, await company.giveAccount(siti));
  await signIn(other, await company.giveAccount(budi));
  await signIn(page, company.username, `/owner/sends/new?to=${siti.employeeId}`);
  const { options, submit } = composer(page);
  await write(page, 'Jadwal kerja', 'Mulai Senin.');
  const choose = page.locator('input[type=file]');
  await choose.setInputFiles({ name: 'catatan.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('bukan gambar') });
  await expect(page.getByText('File ini bukan gambar yang bisa dibaca.')).toBeVisible();
  await choose.setInputFiles({ name: 'foto.jpg', mimeType: 'image/jpeg', buffer: await takePhoto() });
  const chosen = page.getByRole('img', { name: 'Gambar untuk pesan ini' });
  await expect(chosen).toBeVisible();
  await page.reload();
  await expect(chosen, 'the draft keeps it').toBeVisible();
  await options.click();
  await page.getByLabel('Wajib dikonfirmasi').check();
  const preview = page.locator('[data-preview=shown]');
  await expect(preview).toContainText('Baca pesan lengkap');
  const words = await wordsOf(preview);
  await submit.click();
  await expect(page).toHaveURL(/\/owner\/sends\/1\?sent$/);
  const sent = page.getByRole('img', { name: 'Gambar dari pesan “Jadwal kerja”' });
  const address = (await sent.getAttribute('src')) ?? '';
  await expect(popUps(portal)).toContainText('Baca pesan lengkap', within20s);
  expect(await wordsOf(popUps(portal)), 'the preview says what the pop-up says').toBe(words);
  await portal.goto('/portal/notifications/1');
  const received = portal.getByRole('img', { name: 'Gambar dari pesan “Jadwal kerja”' });
  await expect(received).toHaveAttribute('src', address);
  const size = () => received.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  await expect.poll(size).toEqual([800, 1600]);
  const file = await portal.request.get(address);
  expect((await file.body()).length).toBeLessThanOrEqual(300 * 1024);
  for (const nobody of [other.request, request]) expect((await nobody.get(address)).status()).toBe(404);
  const key = await company.newKey('Sistem Uji');
  const withKey = { headers: { 'X-API-Key': key, 'Content-Type': 'image/jpeg', Origin: new URL(page.url()).origin } };
  expect((await request.get(address, withKey)).status()).toBe(404);
  expect((await request.post(address, { ...withKey, data: await file.body() })).status()).toBe(401);

  await page.goto('/owner/sends/new?again=1');
  await expect(chosen, 'sent again with its picture').toBeVisible();
  await options.click();
  await page.getByText('Berulang', { exact: true }).click();
  await page.getByRole('button', { name: 'Simpan jadwal' }).click();
  await page.getByRole('link', { name: 'Ubah' }).click();
  await expect(chosen, 'each message of a rule has it').toBeVisible();
  await page.getByRole('button', { name: 'Hapus gambar' }).click();
  await page.getByRole('button', { name: 'Simpan perubahan' }).click();
  await page.getByRole('link', { name: 'Ubah' }).click();
  await expect(submit.or(page.getByRole('button', { name: 'Simpan perubahan' }))).toBeVisible();
  await expect(chosen).toHaveCount(0);
});

test('the preview says what the pop-up says; a marked title has no signs', async ({ page, company, signIn, visit }) => {
  const portal = await visit();
  const employee = await company.hire('Budi Uji', 'Sopir');
  await signIn(portal, await company.giveAccount(employee));
  await signIn(page, company.username, `/owner/sends/new?to=${employee.employeeId}`);
  const { options, submit } = composer(page);
  await write(page, '*PENTING* hari ini', 'Helm wajib dipakai');
  await options.click();
  await page.getByLabel('Wajib dikonfirmasi').check();
  const preview = page.locator('[data-preview=shown]');
  await expect(preview).toContainText('Sudah baca & paham');
  const words = await wordsOf(preview);
  await submit.click();
  await expect(popUps(portal)).toContainText('Sudah baca & paham', within20s);
  expect(await wordsOf(popUps(portal))).toBe(words);
  await expect(popUps(portal)).toContainText('PENTING');
  await expect(popUps(portal)).not.toContainText('*');
  await portal.goto('/portal/notifications');
  for (const part of [entries(portal), portal.locator('main')]) {
    await expect(part).toContainText('PENTING');
    expect(await part.ariaSnapshot()).not.toContain('*');
  }
  await entries(portal).getByRole('link').click();
  await expect(portal.getByRole('heading', { name: /^PENTING/ }).last()).toBeVisible();
});
