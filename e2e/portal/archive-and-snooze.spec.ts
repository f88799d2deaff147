import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import {
  bell,
  countTones,
  entries,
  expect,
  expectSoundOn,
  popUps,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';

test.use({ viewport: { width: 360, height: 740 } });

const row = (page: Page, title: string) => entries(page).filter({ hasText: title });
const putAway = async (page: Page, title: string, choice: string) => {
  await page.getByRole('button', { name: `Arsipkan atau ingatkan lagi: ${title}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: choice }).click();
};
const openPlace = (page: Page, place: string) => page.getByRole('link', { name: place, exact: true }).click();

test('a notification is archived and comes back; what must be confirmed stays', async ({
  page,
  company,
  signInAsEmployee,
  send,
}) => {
  await signInAsEmployee(page);
  for (const judul of ['Rapat pagi', 'Stok gudang', 'Jadwal giliran']) await send({ judul });
  await page.goto('/portal/notifications');
  await putAway(page, 'Rapat pagi', 'Arsipkan');
  await expect(row(page, 'Rapat pagi')).toHaveCount(0);
  await expect(bell(page, 2)).toBeVisible();
  await page.getByRole('button', { name: 'Urungkan' }).click();
  await expect(row(page, 'Rapat pagi')).toBeVisible();
  await expect(bell(page, 3)).toBeVisible();
  await putAway(page, 'Rapat pagi', 'Arsipkan');
  await expect(row(page, 'Rapat pagi')).toHaveCount(0);
  await openPlace(page, 'Arsip');
  await expect(row(page, 'Rapat pagi')).toBeVisible();
  await putAway(page, 'Rapat pagi', 'Kembalikan ke kotak masuk');
  await expect(page.getByText('Arsip masih kosong.')).toBeVisible();
  await page.goto('/portal/notifications');
  await expect(entries(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Arsipkan yang sudah dibaca' }).click();
  await expect(entries(page)).toHaveCount(2);
  await writeManualDraft(company, { title: 'Aturan baru', mustConfirm: true });
  await page.reload();
  await page.getByRole('button', { name: 'Arsipkan atau ingatkan lagi: Aturan baru' }).click();
  await expect(page.getByRole('dialog')).toContainText('Konfirmasi dulu, baru bisa diarsipkan.');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Arsipkan' })).toHaveCount(0);
  await page.getByRole('dialog').getByRole('button', { name: '1 jam lagi' }).click();
  await expect(row(page, 'Aturan baru')).toHaveCount(0);
  await page.goto('/portal');
  await expect(page.getByText('Menunggu konfirmasi Anda (1)')).toBeVisible();
});

test('a snoozed notification comes back first, unread, with one ring and one pop-up', async ({
  page,
  company,
  signInAsEmployee,
  send,
}) => {
  const tones = await countTones(page);
  await signInAsEmployee(page);
  for (const judul of ['Slip gaji', 'Stok gudang']) await send({ judul });
  await page.goto('/portal/notifications');
  await page.getByRole('link', { name: /Slip gaji/ }).click();
  await expect(page.getByRole('heading', { name: 'Slip gaji' })).toBeVisible();
  // The service has stored that it was read; leaving before would cancel that.
  await expect(bell(page, 1)).toBeVisible();
  await page.goto('/portal/notifications');
  await putAway(page, 'Slip gaji', '1 jam lagi');
  await expect(row(page, 'Slip gaji')).toHaveCount(0);
  await expect(bell(page, 1)).toBeVisible();
  await openPlace(page, 'Ditunda');
  await expect(row(page, 'Slip gaji')).toContainText('ditunda sampai');
  // The page that opens next learns when.
  await sql()`update receipts set snoozed_until = now() + interval '12 seconds'
    where company_id = ${company.owner.companyId} and snoozed_until is not null`;
  await page.goto('/portal');
  await page.locator('h1').click();
  await expectSoundOn(page);
  await expect(bell(page, 1)).toBeVisible();
  const before = await tones();
  await expect(popUps(page).filter({ hasText: 'Slip gaji' })).toBeVisible({ timeout: within20s.timeout + 12_000 });
  await expect(entries(page).first()).toContainText('muncul lagi');
  await expect(bell(page, 2)).toBeVisible();
  await expect.poll(tones).toBe(before + 2);
  await page.reload();
  await expect(entries(page).first()).toContainText('muncul lagi');
  await expect(bell(page, 2)).toBeVisible();
  // Its sender still sees that it was read.
  const [read] = await sql()`select read_at, unread_at from receipts
    where company_id = ${company.owner.companyId} and snoozed_until is not null`;
  expect(read).toMatchObject({ read_at: expect.any(Date), unread_at: null });
});

test('what one device archives or snoozes leaves the list of another device at once', async ({
  page,
  company,
  signIn,
  signInAsEmployee,
  send,
  visit,
}) => {
  const username = await company.giveAccount(await company.hire());
  const [phone, colleague] = [await visit(), await visit()];
  await signInAsEmployee(colleague);
  await signIn(page, username);
  await signIn(phone, username);
  for (const judul of ['Rapat pagi', 'Stok gudang', 'Jadwal giliran', 'Kunci toko']) await send({ judul });
  await page.goto('/portal/notifications');
  const streamed = phone.waitForResponse((response) => response.url().includes('/portal/stream'));
  await phone.goto('/portal/notifications');
  await colleague.goto('/portal/notifications');
  await streamed;
  await putAway(page, 'Rapat pagi', 'Arsipkan');
  await expect(row(phone, 'Rapat pagi')).toHaveCount(0);
  await expect(bell(phone, 3)).toBeVisible();
  await page.getByRole('button', { name: 'Urungkan' }).click();
  await expect(row(phone, 'Rapat pagi')).toBeVisible();
  await expect(bell(phone, 4)).toBeVisible();
  await putAway(page, 'Stok gudang', '1 jam lagi');
  await expect(row(phone, 'Stok gudang')).toHaveCount(0);
  // Its pop-up may be open too.
  await row(page, 'Kunci toko')
    .getByRole('link', { name: /Kunci toko/ })
    .click();
  await expect(page.locator('[data-opened]')).toContainText('Kunci toko');
  await expect(bell(page, 2)).toBeVisible();
  await page.goto('/portal/notifications');
  await page.getByRole('button', { name: 'Arsipkan yang sudah dibaca' }).click();
  await expect(row(phone, 'Kunci toko')).toHaveCount(0);
  await expect(bell(phone, 2)).toBeVisible();
  await expect(entries(colleague)).toHaveCount(4);
  await expect(bell(colleague, 4)).toBeVisible();
});
