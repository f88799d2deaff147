import type { Locator, Page } from 'playwright/test';
import {
  afterUndoTime,
  entries,
  expect,
  heldBar,
  popUps,
  signOut,
  steady,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { composer, expectAudited, sendTo, sendToOne, write } from '#e2e/support/browser/owner-pages.ts';
import { expectPopUp } from '#e2e/support/browser/portal-pages.ts';
import { countUse, limits, subjectsOf } from '#server/accounts/sign-in/limits.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { listSends } from '#server/sends/history/send-list.ts';

test('a message by hand reaches one person; the form has a preview', async ({ company, openPortal, openOwner }) => {
  const employee = await company.hire('Budi Uji', 'Sopir');
  const other = await company.hire('Siti Uji', 'Kasir');
  const portal = await openPortal(employee);
  const page = await openOwner('/owner/sends');
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
  await title.fill('😀'.repeat(draftLimits.title));
  await body.fill(' Baris satu\nBaris dua ');
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

test('despite a double click and a lost response a draft is sent once', async ({ company, openOwner }) => {
  // A message to one person leaves at once.
  const { employeeId } = await company.hire();
  const page = await openOwner(`/owner/sends/new?to=${employeeId}`);
  const { title, submit } = composer(page);
  await write(page, 'Sekali saja');
  // The server receives the first request, the browser loses the response.
  let lost = 0;
  await page.route('**/owner/sends/new*', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await submit.click();
  await expect(page.getByText('Terjadi kesalahan. Coba lagi.')).toBeVisible();
  await expect(title).toHaveValue('Sekali saja');
  await submit.dblclick();
  await expect(page).toHaveURL(/\/owner\/sends\/1\?sent$/);
  const sent = async () => (await listSends(company.owner)).sends.map((one) => one.title);
  expect(await sent()).toEqual(['Sekali saja']);
  await page.goto(`/owner/sends/new?to=${employeeId}`);
  await write(page, 'Sekali saja', 'Isi lain');
  await submit.click();
  await expect(page).toHaveURL(/\/owner\/sends\/2\?sent$/);
  expect(await sent()).toEqual(['Sekali saja', 'Sekali saja']);
});

test('the form warns before and after a send that reaches nobody', async ({ company, openOwner }) => {
  const employee = await company.hire('Yang Pergi');
  await company.deactivate(employee);
  const page = await openOwner(`/owner/sends/new?to=${employee.employeeId}`);
  await expect(composer(page).to).toContainText('Yang Pergi');
  await expect(page.getByText('Yang Pergi nonaktif dan tidak akan menerimanya.')).toBeVisible();
  await write(page, 'Tidak sampai');
  await composer(page).submit.click();
  await expect(page.getByText('Tidak ada penerima: semuanya nonaktif')).toBeVisible();
  await page.goto('/owner/sends/new?to=999999999');
  await expect(composer(page).to).toHaveText('KepadaSemua(tidak ada yang aktif)');
  await expect(page.getByText('Belum ada karyawan aktif: tidak ada yang akan menerimanya')).toBeVisible();
});

test('beyond a limit the form says when it works again, and keeps what was typed', async ({ company, openOwner }) => {
  await company.hire();
  const page = await openOwner('/owner/sends/new');
  for (let used = 0; used < limits.broadcast.account.minute; used++)
    await countUse('broadcast', subjectsOf(company.owner));
  await write(page, 'Rapat pukul tiga');
  await composer(page).submit.click();
  await expect(page.getByText(/Isian Anda tetap ada di sini: coba lagi dalam/)).toBeVisible();
  await expect(composer(page).title).toHaveValue('Rapat pukul tiga');
});

test('all devices undo a send; it leaves without a page', async ({ company, signIn, visit, openPortal, openOwner }) => {
  const portal = await openPortal();
  await company.hire('Siti Uji');
  const phone = await visit({ viewport: { width: 360, height: 740 } });
  await signIn(phone, company.username, '/owner/employees');
  const page = await openOwner('/owner/sends/new');
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
  await expectPopUp(portal, 'Rapat jam empat');
  expect((await listSends(company.owner)).sends.map((one) => one.title)).toEqual(['Rapat jam empat']);
  await expectAudited(page, 'notification.undo', 'notification.send');
});

test('an undo of the last second counts, and a later one offers to withdraw', async ({ company, openOwner }) => {
  await company.hire('Budi Uji');
  await company.hire('Siti Uji');
  const page = await openOwner('/owner/sends/new');
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

test('a draft stays on the device, offline and in other tabs, until it is sent', async ({ company, openOwner }) => {
  const employee = await company.hire('Budi Uji');
  const page = await openOwner('/owner/sends/new');
  const { title, options, submit } = composer(page);
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
  await page.close();
  await tab.goto('/owner/sends/new');
  await expect(composer(tab).body).toHaveValue('Lihat papan.');
  await tab.getByRole('button', { name: 'Buang' }).click();
  await expect(composer(tab).title).toHaveValue('');
  await tab.reload();
  await expect(composer(tab).title).toHaveValue('');
  const kept = () => tab.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('draft ')));
  await write(tab, 'Sekali lagi');
  expect(await kept()).toHaveLength(1);
  await composer(tab).submit.click();
  await expect(tab).toHaveURL(/\/owner\/sends$/);
  expect(await kept()).toEqual([]);
  await tab.goto('/owner/sends/new');
  await composer(tab).title.fill('Gaji Budi');
  expect(await kept()).toHaveLength(1);
  await signOut(tab);
  expect(await kept()).toEqual([]);
});

test('all tabs show the same draft until one of them sends it', async ({ openOwner }) => {
  const page = await openOwner('/owner/sends/new');
  const tab = steady(await page.context().newPage());
  await tab.goto('/owner/sends/new');
  await composer(page).title.fill('Rapat besok');
  await expect(composer(tab).title).toHaveValue('Rapat besok');
  await composer(tab).body.fill('Jam delapan.');
  await expect(composer(page).body).toHaveValue('Jam delapan.');
  await expect(composer(page).title).toHaveValue('Rapat besok');
  await composer(tab).submit.click();
  await expect(tab).toHaveURL(/\/owner\/sends(\/\d+\?sent)?$/);
  await expect(composer(page).title, 'it is sent').toHaveValue('');
  await expect(page.getByRole('button', { name: 'Buang' })).toBeHidden();
});

// A photo of a phone that was held upright: its pixels lie, and the file says so.
async function takePhoto(page: Page): Promise<Buffer> {
  const pixels = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2600, 1300];
    const context = canvas.getContext('2d');
    for (let at = 0; at < 6000 && context; at++) {
      context.fillStyle = `hsl(${(at * 47) % 360} 70% 60%)`;
      context.fillRect((at * 131) % 2600, (at * 71) % 1300, 60, 40);
    }
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 1));
    return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))];
  });
  const lies = 'ffe100224578696600004d4d002a00000008000101120003000000010006000000000000';
  return Buffer.concat([Buffer.from(pixels.slice(0, 2)), Buffer.from(lies, 'hex'), Buffer.from(pixels.slice(2))]);
}

test('a picture is upright, small and for its recipient only', async ({ company, request, openPortal, openOwner }) => {
  test.setTimeout(150_000);
  const siti = await company.hire('Siti Uji');
  const [portal, other] = [await openPortal(siti), await openPortal()];
  const page = await openOwner(`/owner/sends/new?to=${siti.employeeId}`);
  await write(page, 'Jadwal kerja', 'Mulai Senin.');
  const choose = page.locator('input[type=file]');
  await choose.setInputFiles({ name: 'catatan.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('bukan gambar') });
  await expect(page.getByText('File ini bukan gambar yang bisa dibaca.')).toBeVisible();
  await choose.setInputFiles({ name: 'foto.jpg', mimeType: 'image/jpeg', buffer: await takePhoto(page) });
  const chosen = page.getByRole('img', { name: 'Gambar untuk pesan ini' });
  await expect(chosen).toBeVisible();
  await page.reload();
  await expect(chosen, 'the draft keeps it').toBeVisible();
  await composer(page).submit.click();
  await expect(page).toHaveURL(/\/owner\/sends\/1\?sent$/);
  const sent = page.getByRole('img', { name: 'Gambar dari pesan “Jadwal kerja”' });
  const address = (await sent.getAttribute('src')) ?? '';
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
  await page.getByRole('button', { name: 'Hapus gambar' }).click();
  await expect(chosen).toHaveCount(0);
});

test('the preview says what the pop-up says, without signs of marks', async ({ company, openPortal, openOwner }) => {
  const portal = await openPortal(await company.hire('Budi Uji', 'Sopir'));
  const page = await openOwner();
  const wordsOf = async (part: Locator) => (await part.textContent())?.replaceAll(/\s+/g, ' ').trim();
  for (const picture of [false, true]) {
    await page.goto('/owner/sends/new');
    const { options, submit } = composer(page);
    await sendToOne(page, 'Budi');
    await write(page, `*PENTING* ${picture ? 'dengan gambar' : 'tanpa'}`, 'Helm wajib dipakai');
    await options.click();
    await page.getByLabel('Wajib dikonfirmasi').check();
    if (picture) {
      const photo = { name: 'foto.jpg', mimeType: 'image/jpeg', buffer: await takePhoto(page) };
      await page.locator('input[type=file]').setInputFiles(photo);
      await expect(page.getByRole('img', { name: 'Gambar untuk pesan ini' })).toBeVisible();
    }
    const preview = page.locator('[data-preview=shown]');
    await expect(preview).toContainText(picture ? 'Baca pesan lengkap' : 'Sudah baca & paham');
    const words = await wordsOf(preview);
    await submit.click();
    const popUp = popUps(portal).filter({ hasText: picture ? 'dengan gambar' : 'tanpa' });
    await expect(popUp).toContainText(picture ? 'Baca pesan lengkap' : 'Sudah baca & paham', within20s);
    expect(await wordsOf(popUp)).toBe(words);
    await expect(popUp).toContainText('PENTING');
    await expect(popUp).not.toContainText('*');
  }
  await portal.goto('/portal/notifications');
  for (const part of [entries(portal).first(), portal.locator('main')]) {
    await expect(part).toContainText('PENTING');
    expect(await part.ariaSnapshot()).not.toContain('*');
  }
  await entries(portal).first().getByRole('link').click();
  await expect(portal.getByRole('heading', { name: /^PENTING/ }).last()).toBeVisible();
});
