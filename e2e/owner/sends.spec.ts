import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { bell, entries, expect, popUps, test, within20s } from '#e2e/fixtures/browser.ts';
import { makeNeighbour, writeByHand } from '#e2e/fixtures/sends.ts';
import { startBufferingProxy } from '#harness/proxy.ts';
import { markAllRead, recordShown } from '#server/inbox/read-state.ts';

const rows = (page: Page) => page.locator('[data-send]');
const people = (page: Page) => page.locator('[data-person]');
const stat = (page: Page, name: string) => page.locator(`[data-stat=${name}] dd`);

async function download(page: Page): Promise<string> {
  const started = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Unduh CSV' }).click();
  return readFile(await (await started).path(), 'utf8');
}

test('every notification ever sent is listed, by key or by hand, with what became of it, filtered in the address, as CSV too', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const neighbour = await makeNeighbour();
  const [satu, dua] = [await company.hire('Satu Uji'), await company.hire('Dua Uji')];
  await send({ judul: '=1+1; rumus', jenis: 'gaji', user_id: satu.employeeId });
  await send({ judul: 'Untuk semua' });
  await writeByHand(company, { title: 'Tulisan tangan' });
  await recordShown(satu, [1, 2]);
  await markAllRead(satu, 2);
  await signIn(page, company.username);
  await page.getByRole('link', { name: 'Kiriman', exact: true }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).nth(0)).toContainText(
    /WIB.*Tulisan tangan.*Pemilik Uji, ditulis sendiri.*Semua karyawan aktif/s,
  );
  await expect(rows(page).nth(0)).toContainText(/0 dari 2 sudah membaca.*0 tampil · 2 belum dibaca/s);
  await expect(rows(page).nth(1)).toContainText(/1 dari 2 sudah membaca.*1 tampil · 1 belum dibaca/s);
  await expect(rows(page).nth(2)).toContainText(
    /=1\+1; rumus.*Gaji.*Kunci “Sistem Uji”.*Satu Uji.*1 dari 1 sudah membaca/s,
  );
  await expect(page.locator('body')).not.toContainText(neighbour.names);

  await page.getByLabel('Keadaan').selectOption('Belum dibaca semua');
  await page.getByRole('button', { name: 'Tampilkan' }).click();
  await expect(page).toHaveURL('/owner/sends?state=unread');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('link', { name: 'Hapus filter' }).click();
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Karyawan' }).fill('dua');
  await page.getByRole('option', { name: /Dua Uji/ }).click();
  await page.getByRole('button', { name: 'Tampilkan' }).click();
  await expect(page).toHaveURL(`/owner/sends?employee=${dua.employeeId}`);
  await expect(rows(page)).toHaveCount(2);
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await page.goto('/owner/sends?sender=hand');
  await expect(rows(page)).toHaveCount(1);
  await page.goto(`/owner/sends?employee=${neighbour.employee.employeeId}`);
  await expect(page.getByText('Tidak ada yang cocok dengan saringan ini.')).toBeVisible();
  await expect(page.locator('body')).not.toContainText(neighbour.names);

  await page.goto('/owner/sends?kind=gaji');
  const csv = await download(page);
  const lines = csv.trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('Nomor;Waktu (UTC);Pengirim');
  expect(lines[1]).toMatch(/^1;\d{4}-.*Z;Sistem Uji;kunci;Satu Uji;\d+;"'=1\+1; rumus";Gaji;1;1;1;0;tidak/);
});

test('it is paged by number: older ones follow, each once', async ({ page, company, signIn }) => {
  const neighbour = await makeNeighbour(2);
  await company.hire();
  for (let sent = 1; sent <= 27; sent++) await writeByHand(company, { title: `nomor ${sent}.` });
  await signIn(page, company.username);
  await page.goto('/owner/sends');
  await expect(rows(page)).toHaveCount(25);
  await writeByHand(company, { title: 'menyela' });
  await page.getByRole('link', { name: 'Lebih lama' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(0)).toContainText('nomor 2.');
  await page.getByRole('link', { name: 'Kembali ke terbaru' }).click();
  await expect(rows(page).nth(0)).toContainText('menyela');
  await expect(page.locator('body')).not.toContainText(neighbour.names);
});

test('the people of a send, each with times, and one page of proof that says honestly what is unknown', async ({
  page,
  company,
  signIn,
  baseURL,
}) => {
  const neighbour = await makeNeighbour();
  const [satu, dua] = [await company.hire('Satu Uji', 'Kasir'), await company.hire('Dua Uji', 'Sopir')];
  const answer = await fetch(`${baseURL}/api/v1/notif.php`, {
    method: 'POST',
    headers: { 'X-API-Key': await company.newKey('Sistem Bukti'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ judul: 'Rapat', isi: 'Pukul sepuluh', url: '/portal/help' }),
  });
  const requestId = answer.headers.get('x-request-id') ?? '';
  await recordShown(satu, [1]);
  await markAllRead(satu, 1);
  await signIn(page, company.username);
  await page.goto('/owner/sends');
  await page.getByRole('link', { name: 'Lihat kiriman: Rapat' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Rapat' })).toBeVisible();
  for (const [name, count] of Object.entries({ reach: 2, shown: 1, read: 1, left: 1 }))
    await expect(stat(page, name)).toHaveText(String(count));
  await expect(page.getByText(requestId)).toBeVisible();
  await expect(people(page)).toHaveCount(2);
  await expect(people(page).nth(0)).toContainText(/Satu Uji.*Kasir.*WIB.*WIB/s);
  await expect(people(page).nth(1)).toContainText(/Dua Uji.*Belum tampil.*Belum dibaca/s);
  const csv = (await download(page)).trim().split('\r\n');
  expect(csv).toHaveLength(3);
  expect(csv[2]).toBe(`${dua.employeeId};Dua Uji;Sopir;ya;;tidak;`);
  await page.getByLabel('Keadaan').selectOption('Belum dibaca');
  await page.getByRole('button', { name: 'Tampilkan' }).click();
  await expect(people(page)).toHaveCount(1);

  await page.getByRole('link', { name: 'Bukti penyampaian untuk Dua Uji' }).click();
  await expect(page.getByRole('heading', { name: 'Bukti penyampaian' })).toBeVisible();
  const proof = page.locator('.facts');
  for (const text of [
    company.owner.companyName,
    'Dua Uji',
    'Sistem dengan kunci API “Sistem Bukti”',
    'Pukul sepuluh',
    requestId,
  ])
    await expect(proof).toContainText(text);
  await expect(proof).toContainText(/Tidak tercatat pernah tampil.*Belum dibaca.*Tidak diminta/s);
  await page.goto(`/owner/sends/1/${satu.employeeId}`);
  await expect(proof).toContainText(/Tampil di layarnya\s*\d+ \S+ \d{4}.*WIB.*Dibaca\s*\d+ \S+ \d{4}.*WIB/s);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Cetak' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  // The neighbour has these; for this owner they are nothing.
  const strange = [
    `/owner/sends/1/${neighbour.employee.employeeId}`,
    '/owner/sends/7',
    '/owner/sends/0',
    '/owner/sends/x',
  ];
  for (const path of strange) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Halaman tidak ditemukan' })).toBeVisible();
    await expect(page.locator('body')).not.toContainText(neighbour.names);
  }
  expect((await page.request.get('/owner/sends/7/csv')).status()).toBe(404);
});

test('withdrawn within 20 seconds from portals that are open, by stream and by poll; it stays listed, with who and when', async ({
  page,
  baseURL,
  company,
  signIn,
  send,
  visit,
}) => {
  test.setTimeout(150_000);
  const neighbour = await makeNeighbour(1);
  const neighbourPage = await visit();
  await signIn(neighbourPage, await neighbour.company.giveAccount(neighbour.employee));
  const proxy = await startBufferingProxy(baseURL ?? '');
  const open = async (base: string) => {
    const portal = await visit({ baseURL: base });
    await signIn(portal, await company.giveAccount(await company.hire()));
    await portal.goto('/portal');
    return portal;
  };
  const portals = [await open(baseURL ?? ''), await open(proxy.url)];
  await send({ judul: 'Yang tetap' });
  await send({ judul: 'Salah kirim' });
  for (const portal of portals) {
    await expect(popUps(portal).filter({ hasText: 'Salah kirim' })).toBeVisible(within20s);
    await expect(entries(portal).filter({ hasText: 'Salah kirim' })).toBeVisible();
    await expect(bell(portal, 2)).toBeVisible();
    // It stays open while the pointer is on it.
    await popUps(portal).filter({ hasText: 'Salah kirim' }).hover();
  }
  await signIn(page, company.username);
  await page.goto('/owner/sends/2');
  await page.getByRole('button', { name: 'Tarik kembali' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('juga dari portal yang sedang terbuka');
  await expect(dialog.getByRole('button', { name: 'Batal' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Tarik kembali' }).click();
  await expect(page.getByText(/WIB\s+oleh Pemilik Uji/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tarik kembali' })).toBeHidden();
  for (const portal of portals) {
    await expect(entries(portal).filter({ hasText: 'Salah kirim' })).toHaveCount(0, within20s);
    await expect(popUps(portal).filter({ hasText: 'Salah kirim' })).toHaveCount(0);
    await expect(bell(portal, 1)).toBeVisible(within20s);
    await expect(entries(portal).filter({ hasText: 'Yang tetap' })).toBeVisible();
    await portal.goto('/portal/notifications');
    await expect(entries(portal)).toHaveCount(1);
  }
  await page.goto('/owner/sends?state=withdrawn');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(/Salah kirim.*Ditarik kembali/s);
  await page.goto('/owner/audit');
  await expect(page.locator('[data-action="notification.withdraw"]')).toContainText('Menarik kembali “Salah kirim”');
  // The neighbour's send of that number is untouched.
  await neighbourPage.goto('/portal/notifications');
  await expect(entries(neighbourPage)).toHaveCount(1);
  await expect(page.locator('body')).not.toContainText(neighbour.names);
  for (const portal of [...portals, neighbourPage]) await portal.context().close();
  await proxy.stop();
});
