import { afterUndoTime, entries, expect, popUps, test, within20s } from '#e2e/fixtures/browser.ts';
import { makeNeighbour } from '#e2e/fixtures/sends.ts';

test.use({ viewport: { width: 360, height: 740 } });

test('on a phone an owner writes to two roles and to two people, and only they get it', async ({
  page,
  company,
  signIn,
  visit,
}) => {
  const neighbour = await makeNeighbour(1);
  const cashier = await company.hire('Budi Uji', 'Kasir');
  const gone = await company.hire('Rina Uji', 'Kasir');
  await company.hire('Siti Uji', 'Koki');
  const guard = await company.hire('Joko Uji', 'Satpam');
  await company.deactivate(gone);
  const [portal, other] = [await visit(), await visit()];
  await signIn(portal, await company.giveAccount(cashier));
  await signIn(other, await company.giveAccount(guard));
  await signIn(page, company.username);

  await page.goto('/owner/sends/new');
  await page.getByRole('radio', { name: 'Peran' }).check();
  await page.getByRole('textbox', { name: 'Judul' }).fill('Seragam baru');
  await page.getByRole('textbox', { name: 'Isi' }).fill('Ambil di gudang.');
  await page.getByRole('button', { name: /^Kirim$/ }).click();
  await expect(page.getByText('Pilih paling sedikit satu peran')).toBeVisible();
  await page.getByRole('checkbox', { name: /^Kasir/ }).check();
  await page.getByRole('checkbox', { name: /^Koki/ }).check();
  await expect(page.getByText('2 orang akan menerimanya, 1 nonaktif dilewati')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByRole('button', { name: 'Kirim ke 2 orang' }).click();
  await expect(page.getByText('Akan dikirim ke 2 orang')).toBeVisible();
  await expect(page).toHaveURL(/\/owner\/sends\/1\?sent$/, afterUndoTime);
  await expect(page.getByText('Kasir, Koki')).toBeVisible();
  await expect(page.getByText('2 orang, 1 nonaktif dilewati')).toBeVisible();
  await expect(page.locator('[data-person]')).toHaveCount(2);
  await expect(popUps(portal).filter({ hasText: 'Seragam baru' })).toBeVisible(within20s);

  await page.goto('/owner/sends/new');
  await page.getByRole('radio', { name: 'Beberapa orang' }).check();
  const search = page.getByRole('searchbox', { name: 'Ketik nama, peran, atau user_id' });
  for (const name of ['Siti', 'Joko']) {
    await search.fill(name);
    await page.getByRole('checkbox', { name: new RegExp(name) }).check();
  }
  await search.fill('Tetangga');
  await expect(page.getByText('Tidak ada karyawan yang cocok')).toBeVisible();
  await page.getByRole('textbox', { name: 'Judul' }).fill('Jaga malam');
  await page.getByRole('textbox', { name: 'Isi' }).fill('Mulai pukul sepuluh.');
  await page.getByRole('button', { name: 'Kirim ke 2 orang' }).click();
  await expect(popUps(other).filter({ hasText: 'Jaga malam' })).toBeVisible({ timeout: 40_000 });
  await expect(popUps(other).filter({ hasText: 'Seragam baru' })).toHaveCount(0);

  for (const [one, title] of [
    [portal, 'Seragam baru'],
    [other, 'Jaga malam'],
  ] as const) {
    await one.goto('/portal/notifications');
    await expect(entries(one)).toHaveCount(1);
    await expect(entries(one)).toContainText(title);
  }
  await page.goto('/owner/sends');
  await expect(page.locator('[data-send="1"]')).toContainText('Kasir, Koki');
  await expect(page.locator('[data-send="2"]')).toContainText('2 orang');
  await page.goto('/owner/audit');
  await expect(page.locator('[data-action="notification.send"]').last()).toContainText('ke Kasir, Koki');
  await expect(page.locator('body')).not.toContainText(neighbour.names);
  await portal.context().close();
  await other.context().close();
});
