import type { Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { entries, expect, popUps, test, within20s } from '#e2e/support/browser/browser.ts';
import { bell, turnSoundOn, understood } from '#e2e/support/browser/portal-pages.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

const row = (page: Page, title: string) => entries(page).filter({ hasText: title });
const press = (page: Page, title: string, name: string) => row(page, title).getByRole('button', { name }).click();

// Drags a row with one finger.
async function swipe(page: Page, title: string, to: 'left' | 'right'): Promise<void> {
  const box = await row(page, title).boundingBox();
  if (!box) throw new Error(`no row ${title}`);
  const y = box.y + box.height / 2;
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y }] });
  const path = to === 'left' ? [240, 210, 170, 130] : [100, 130, 170, 210];
  for (const [index, x] of path.entries()) await touch(index === 0 ? 'touchStart' : 'touchMove', x);
  await touch('touchEnd');
  await session.detach();
}
const snoozeAnHour = async (page: Page, title: string) => {
  await swipe(page, title, 'right');
  await page.getByRole('dialog').getByRole('button', { name: '1 jam lagi' }).click();
  await expect(row(page, title)).toContainText('Ditunda');
};
const openPlace = (page: Page, place: string) => page.getByRole('link', { name: place, exact: true }).click();

test('a notification is archived and comes back; some must be read', async ({ portal: page, company, send }) => {
  for (const judul of ['Rapat pagi', 'Stok gudang', 'Jadwal giliran']) await send({ judul });
  await page.goto('/portal/notifications');
  // Two presses at one place, whose four steps wait for half of the pause, meet one row.
  for (const delay of [75, 350]) {
    const place = await row(page, 'Stok gudang').getByRole('button', { name: 'Arsipkan' }).boundingBox();
    await page.mouse.click((place?.x ?? 0) + 22, (place?.y ?? 0) + 22, { clickCount: 2, delay });
    await expect(row(page, 'Stok gudang')).toContainText('Diarsipkan');
    await expect(bell(page, 2)).toBeVisible();
    await expect(entries(page)).toHaveText([/Jadwal giliran/, /Stok gudang/, /Rapat pagi/]);
    await press(page, 'Stok gudang', 'Urungkan');
    await expect(row(page, 'Stok gudang')).not.toContainText('Diarsipkan');
    await expect(bell(page, 3)).toBeVisible();
  }
  await swipe(page, 'Rapat pagi', 'left');
  await expect(row(page, 'Rapat pagi')).toContainText('Diarsipkan');
  await expect(bell(page, 2)).toBeVisible();
  await openPlace(page, 'Arsip');
  await expect(row(page, 'Rapat pagi')).toBeVisible();
  await press(page, 'Rapat pagi', 'Kembalikan ke kotak masuk');
  await expect(row(page, 'Rapat pagi')).toContainText('Kembali ke kotak masuk');
  await page.reload();
  await expect(page.getByText('Arsip masih kosong.')).toBeVisible();
  await page.goto('/portal/notifications');
  await expect(entries(page)).toHaveCount(3);
  await writeManualDraft(company, { title: 'Aturan baru', mustConfirm: true });
  await page.reload();
  await expect(entries(page)).toHaveCount(4);
  await expect(row(page, 'Aturan baru').getByRole('button', { name: 'Arsipkan' })).toHaveCount(0);
  await swipe(page, 'Aturan baru', 'left');
  await expect(row(page, 'Aturan baru')).toContainText('Konfirmasi atau jawab dulu, baru bisa diarsipkan.');
  await snoozeAnHour(page, 'Aturan baru');
  await page.goto('/portal');
  await expect(page.getByText('Menunggu konfirmasi Anda (1)')).toBeVisible();
});

test('a snoozed notification comes back first, unread, and rings', async ({ portal: page, tones, company, send }) => {
  for (const judul of ['Slip gaji', 'Stok gudang']) await send({ judul });
  await page.goto('/portal/notifications');
  await page.getByRole('link', { name: /Slip gaji/ }).click();
  await expect(page.getByRole('heading', { name: 'Slip gaji' })).toBeVisible();
  // The service has stored that it was read; leaving before would cancel that.
  await expect(bell(page, 1)).toBeVisible();
  await page.goto('/portal/notifications');
  await snoozeAnHour(page, 'Slip gaji');
  await expect(bell(page, 1)).toBeVisible();
  await openPlace(page, 'Ditunda');
  await expect(row(page, 'Slip gaji')).toContainText('ditunda sampai');
  // The next page that opens learns the new time.
  await sql()`update receipts set snoozed_until = now() + interval '12 seconds'
    where company_id = ${company.owner.companyId} and snoozed_until is not null`;
  await page.goto('/portal');
  await turnSoundOn(page);
  await expect(bell(page, 1)).toBeVisible();
  const before = await tones();
  await expect(popUps(page).filter({ hasText: 'Slip gaji' })).toBeVisible({ timeout: within20s.timeout + 12_000 });
  // Rows that are there keep their place.
  await expect(entries(page)).toHaveText(/Stok gudang/);
  await page.getByRole('button', { name: '1 notifikasi baru' }).click();
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

test('two presses at one place open a message and confirm nothing', async ({ portal: page, company }) => {
  for (let count = 1; count <= 9; count++)
    await writeManualDraft(company, { title: `Aturan ${count}`, body: 'Isi. '.repeat(50), mustConfirm: true });
  await page.goto('/portal/notifications/5');
  const box = await understood(page).boundingBox();
  for (const delay of [75, 350]) {
    await page.goto('/portal/notifications');
    await expect(entries(page)).toHaveCount(9);
    await page.mouse.click((box?.x ?? 0) + 40, (box?.y ?? 0) + 20, { clickCount: 2, delay });
    await expect(page).toHaveURL(/notifications\/\d$/);
    // Waits until the button takes a press; by then the second press is over.
    await understood(page).click({ trial: true });
    const confirmed = await sql()`select 1 from receipts
      where company_id = ${company.owner.companyId} and confirmed_at is not null`;
    expect(confirmed).toHaveLength(0);
  }
});
