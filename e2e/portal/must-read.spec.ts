import type { Locator, Page } from 'playwright/test';
import { bell, entries, expect, popUps, test, waitForAction, within20s } from '#e2e/support/browser/browser.ts';
import { makeNeighbour } from '#e2e/support/data/sends.ts';

// Each test signs in several people.
test.describe.configure({ timeout: 150_000 });

const waiting = (page: Page) => page.getByRole('link', { name: /^Menunggu konfirmasi Anda/ });
const understood = (within: Page | Locator) => within.getByRole('button', { name: /^Sudah baca & paham/ });

test('kinds that need confirmation wait until the employee confirms; reading is not enough', async ({
  page,
  company,
  signIn,
  send,
  visit,
}) => {
  const neighbour = await makeNeighbour(3);
  const neighbourPage = await visit();
  await signIn(neighbourPage, await neighbour.company.giveAccount(neighbour.employee));
  const [satu, dua] = [await company.hire('Satu Uji'), await company.hire('Dua Uji')];
  await signIn(page, company.username, '/owner/sends');
  await page.getByRole('link', { name: 'Wajib dikonfirmasi', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Absensi' }).check();
  await page.getByRole('button', { name: 'Simpan' }).click();
  await expect(page.getByText('Tersimpan')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Absensi' })).toBeChecked();

  const portal = await visit();
  await signIn(portal, await company.giveAccount(satu));
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
  await expect(page.locator('[data-stat=confirmed] dd')).toHaveText('1');
  await page.goto('/owner/audit');
  await expect(page.locator('[data-action="notification.confirm"]')).toContainText(
    /Satu Uji.*Mengonfirmasi “Aturan absen”/s,
  );
  await page.goto(`/owner/sends/1/${satu.employeeId}`);
  await expect(page.locator('.facts')).toContainText(/Dikonfirmasi\s*\d+ \S+ \d{4}.*WIB/s);
  await page.goto(`/owner/sends/1/${dua.employeeId}`);
  await expect(page.locator('.facts')).toContainText('Belum dikonfirmasi');

  await neighbourPage.goto('/portal');
  await expect(waiting(neighbourPage)).toHaveText('Menunggu konfirmasi Anda (3)');
  await expect(neighbourPage.locator('body')).not.toContainText('Aturan absen');
  for (const one of [page, portal]) await expect(one.locator('body')).not.toContainText(neighbour.names);
});
