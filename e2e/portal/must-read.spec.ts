import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright/test';
import { entries, expect, popUps, test, waitForAction, within20s } from '#e2e/support/browser/browser.ts';
import { expectAudited } from '#e2e/support/browser/owner-pages.ts';
import { bell, understood } from '#e2e/support/browser/portal-pages.ts';
import { makeJpeg } from '#e2e/support/data/pictures.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';
import { storePicture } from '#server/sends/pictures/pictures.ts';

// Each test signs in several people.
test.describe.configure({ timeout: 150_000 });

const waiting = (page: Page) => page.getByRole('link', { name: /^Menunggu konfirmasi Anda/ });

test('kinds that need it wait until the employee confirms them', async ({ company, send, openPortal, openOwner }) => {
  const [satu, dua] = [await company.hire('Satu Uji'), await company.hire('Dua Uji')];
  const page = await openOwner('/owner/sends');
  await page.getByRole('link', { name: 'Wajib dikonfirmasi', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Absensi' }).check();
  await page.getByRole('button', { name: 'Simpan' }).click();
  await expect(page.getByText('Tersimpan')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Absensi' })).toBeChecked();

  const portal = await openPortal(satu);
  await send({ judul: 'Aturan absen', jenis: 'absen' });
  await send({ judul: 'Hanya kabar' });
  const rule = popUps(portal).filter({ hasText: 'Aturan absen' });
  const news = popUps(portal).filter({ hasText: 'Hanya kabar' });
  await expect(understood(rule)).toBeVisible(within20s);
  await expect(news).toBeVisible(within20s);
  await expect(understood(news)).toHaveCount(0);
  await portal.goto('/portal/notifications');
  await waitForAction(portal, () => portal.getByRole('button', { name: 'Tandai semua sudah dibaca' }).click());
  await expect(bell(portal, 0)).toBeVisible();
  await portal.reload();
  await expect(waiting(portal)).toHaveText('Menunggu konfirmasi Anda (1)');
  await waiting(portal).click();
  await expect(entries(portal)).toHaveCount(1);
  await expect(entries(portal)).toContainText('Aturan absen');
  await page.goto('/owner/sends/1?state=unconfirmed');
  await expect(page.locator('[data-person]')).toHaveCount(2);

  await entries(portal).getByRole('link').click();
  await understood(portal).click();
  await expect(understood(portal)).toHaveCount(0);
  await portal.goto('/portal/notifications');
  await expect(waiting(portal)).toHaveCount(0);
  await expect(entries(portal).filter({ hasText: 'Aturan absen' })).toContainText('Anda sudah mengonfirmasi');
  await expect(understood(portal)).toHaveCount(0);
  await page.reload();
  await expect(page.locator('[data-person]')).toHaveCount(1);
  await expect(page.locator('[data-person]')).toContainText('Dua Uji');
  await expect(page.locator('[data-stat=confirmed]')).toHaveText('1');
  await expectAudited(page, 'notification.confirm');
  await page.goto(`/owner/sends/1/${satu.employeeId}`);
  await expect(page.locator('.facts')).toContainText(/Dikonfirmasi\s*\d+ \S+ \d{4}.*WIB/s);
  await page.goto(`/owner/sends/1/${dua.employeeId}`);
  await expect(page.locator('.facts')).toContainText('Belum dikonfirmasi');
});

test('a drawn picture is confirmed below it, and what follows stays', async ({ page, company, signInAsEmployee }) => {
  await signInAsEmployee(page);
  const draftId = randomUUID();
  await storePicture(company.owner, draftId, makeJpeg(1200, 900));
  await page.route('/picture/*', (route) => route.abort());
  await writeManualDraft(company, { draftId, picture: draftId, title: 'Denah baru', mustConfirm: true });
  const popUp = popUps(page).filter({ hasText: 'Denah baru' });
  await expect(popUp).toContainText('Ada gambar', within20s);
  await expect(understood(popUp)).toHaveCount(0);
  await expect(entries(page).first()).toContainText('Ada gambar');
  await popUp.getByRole('link', { name: 'Baca pesan lengkap' }).click();
  const again = page.getByRole('button', { name: 'Gambar belum termuat. Muat lagi' });
  await expect(again).toBeVisible();
  await expect(understood(page)).toBeDisabled();
  await page.unroute('/picture/*');
  await again.click();
  const picture = page.getByRole('img', { name: 'Gambar dari pesan “Denah baru”' });
  await expect(picture).toBeVisible();
  await expect(understood(page)).toBeEnabled();
  const yOf = async (part: Locator) => (await part.boundingBox())?.y ?? 0;
  expect(await yOf(understood(page))).toBeGreaterThan(await yOf(picture));
  const actions = page.locator('.opened-actions');
  const belowPicture = async () => (await yOf(actions)) - (await yOf(picture));
  const before = await belowPicture();
  await understood(page).click();
  await expect(page.locator('[data-confirmed]')).toBeVisible();
  expect(await belowPicture()).toBe(before);
});
