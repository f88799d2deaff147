import { readFile } from 'node:fs/promises';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { makeNeighbour, writeManualDraft } from '#e2e/support/data/sends.ts';
import { markAllRead } from '#server/inbox/read-state.ts';
import { countCompany } from '#server/sends/statistics/statistics.ts';

test.use({ viewport: { width: 360, height: 740 } });

test('the statistics of a month say what became of its sends, on a phone, and as a file', async ({
  page,
  company,
  signIn,
  send,
}) => {
  const neighbour = await makeNeighbour(1);
  const people = [await company.hire('Budi Uji'), await company.hire('Siti Uji')];
  await send({ judul: 'Stok malam' });
  await send({ judul: 'Stok pagi' });
  await signIn(page, company.username, '/owner/statistics');
  await expect(page.getByText('Belum ada angka')).toBeVisible();

  await writeManualDraft(company, { title: 'Aturan baru', mustConfirm: true });
  for (const person of people.slice(0, 1)) await markAllRead(person, 3);
  await countCompany(company.owner);
  await page.goto('/owner/sends');
  await page.getByRole('link', { name: 'Statistik' }).click();
  await expect(page.locator('[data-figure=sends]')).toContainText('3');
  await expect(page.locator('[data-figure=reach]')).toContainText('6');
  await expect(page.locator('[data-figure=read]')).toContainText('50%');
  await expect(page.locator('[data-figure=confirmed]')).toContainText('0%');
  const rows = page.locator('[data-sender]');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('2 pesan · 4 penerima');
  await expect(page.locator('[data-sender=hand]')).toContainText('1 pesan · 2 penerima · 0% dikonfirmasi');
  const picture = page.locator('#sends-by-month');
  await expect(picture.getByRole('img')).toHaveAccessibleName(/^3 pesan terkirim di /);
  await picture.getByText('Tampilkan angkanya').click();
  await expect(picture.getByRole('row').last()).toContainText('3');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Unduh CSV' }).click(),
  ]);
  const lines = (await readFile((await file.path()) ?? '', 'utf8')).trim().split(/\r?\n/);
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatch(/^.?\d{4}-\d\d[;,]Ditulis sendiri[;,]1[;,]2[;,]1[;,]2[;,]0$/);
  await expect(page.locator('body')).not.toContainText(neighbour.names);
});
