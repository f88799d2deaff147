import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { bell, entries, expect, test } from '#e2e/fixtures/browser.ts';
import { sendByHand } from '#server/sends/send-by-hand.ts';

test.use({ viewport: { width: 360, height: 740 } });

const row = (page: Page, title: string) => entries(page).filter({ hasText: title });
const putAway = async (page: Page, title: string, choice: string) => {
  await page.getByRole('button', { name: `Arsipkan atau ingatkan lagi: ${title}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: choice }).click();
};
const openPlace = async (page: Page, place: string) => {
  await page.getByRole('button', { name: 'Saringan lain' }).click();
  await page.getByRole('dialog').getByRole('link', { name: place }).click();
};

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
  const draft = { recipientId: 0, body: 'Isi', kind: 'info', url: null, toRoles: null, toPeople: null } as const;
  const order = { ...draft, title: 'Aturan baru', draftId: randomUUID(), mustConfirm: true };
  await sendByHand(company.owner, order);
  await page.reload();
  await page.getByRole('button', { name: 'Arsipkan atau ingatkan lagi: Aturan baru' }).click();
  await expect(page.getByRole('dialog')).toContainText('Konfirmasi dulu, baru bisa diarsipkan.');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Arsipkan' })).toHaveCount(0);
  await page.getByRole('dialog').getByRole('button', { name: '1 jam lagi' }).click();
  await expect(row(page, 'Aturan baru')).toHaveCount(0);
  await page.goto('/portal');
  await expect(page.getByText('Menunggu konfirmasi Anda (1)')).toBeVisible();
});
