import { sql } from '#db/client.ts';
import { check } from '#e2e/support/browser/accessible.ts';
import { composer, entries, expect, popUps, reloadUntil, test, within20s } from '#e2e/support/browser/browser.ts';
import { aDraft } from '#e2e/support/data/sends.ts';
import { saveTemplate } from '#server/sends/manual/templates.ts';

test('a send is planned, changed, leaves at its time and rings; a missed one is asked about', async ({
  page,
  company,
  signIn,
  visit,
}) => {
  test.setTimeout(200_000);
  const employee = await company.hire('Budi Uji', 'Sopir');
  const portal = await visit();
  await signIn(portal, await company.giveAccount(employee));
  await portal.goto('/portal');
  await signIn(page, company.username, '/owner/sends/new');
  const { title, body, options } = composer(page);
  await title.fill('Rapat besok');
  await body.fill('Jam delapan di gudang');
  const when = page.locator('[data-when]');
  await options.click();
  await when.getByText('Nanti', { exact: true }).click();
  await expect(when.locator('[data-plan-sentence]')).toContainText(
    /^Akan terkirim \p{L}+, \d+ \p{L}+.* pukul 08.00 WIB$/u,
  );
  const date = when.getByLabel('Tanggal');
  const tomorrow = await date.inputValue();
  await date.fill('2026-01-05');
  await page.getByRole('button', { name: 'Jadwalkan' }).click();
  await expect(page.getByText('Waktu ini sudah lewat')).toBeVisible();
  await date.fill(tomorrow);
  await expect(options).toContainText(/^OpsiInfo · \p{L}+, \d+ \p{L}+.* pukul 08.00 WIB$/u);
  await page.getByRole('button', { name: 'Jadwalkan' }).click();
  await expect(page).toHaveURL(/\/owner\/sends\/planned$/);
  const waiting = page.getByRole('region', { name: 'Menunggu' });
  await expect(waiting).toContainText(/Rapat besok.*pukul 08.00 WIB.*Semua karyawan aktif.*dari Pemilik Uji/s);

  await waiting.getByRole('link', { name: 'Ubah' }).click();
  await options.click();
  await page.getByLabel('Jam (WIB)').fill('09:30');
  await title.fill('Rapat pagi');
  await page.getByRole('button', { name: 'Simpan perubahan' }).click();
  await expect(waiting).toContainText(/Rapat pagi.*pukul 09.30 WIB/s);
  await page.goto('/owner');
  await expect(page.locator('[data-next]')).toContainText('Rapat pagi');

  // Its time comes.
  const { companyId } = company.owner;
  await sql()`update planned_sends set leaves_at = now() where company_id = ${companyId}`;
  await expect(popUps(portal).filter({ hasText: 'Rapat pagi' })).toBeVisible(within20s);
  await portal.goto('/portal/notifications');
  await expect(entries(portal)).toHaveCount(1);

  await page.goto('/owner/sends/new');
  await title.fill('Jangan lupa absen');
  await body.fill('Sebelum jam delapan');
  await page.getByRole('button', { name: /^Minta jawaban/ }).click();
  await page.getByText('Ya / Tidak', { exact: true }).click();
  await options.click();
  await when.getByText('Berulang', { exact: true }).click();
  await when.getByLabel('Ulangi').selectOption('day');
  await expect(when.locator('[data-plan-sentence]')).toHaveText('Setiap hari pukul 08.00 WIB');
  await check(page, 'a repeating send');
  await page.getByRole('button', { name: 'Simpan jadwal' }).click();
  const repeating = page.getByRole('region', { name: 'Berulang' });
  await expect(repeating).toContainText(
    /Jangan lupa absen.*Setiap hari pukul 08.00 WIB.*Berikutnya:.*Jawaban: Ya \/ Tidak/s,
  );
  await saveTemplate(company.owner, null, 'Mingguan', aDraft({ answers: ['Bisa', 'Tidak bisa'], mustConfirm: true }));
  await page.goto('/owner/sends/templates');
  await expect(page.locator('[data-template]')).toContainText(/Mingguan.*Jawaban: Bisa \/ Tidak bisa/s);

  // Nothing could send it for more than an hour.
  await sql()`update planned_sends set leaves_at = now() - interval '2 hours' where company_id = ${companyId}`;
  await page.goto('/owner');
  await reloadUntil(page, () => expect(page.locator('[data-missed]')).toContainText('Jangan lupa absen'));
  await page.locator('[data-missed]').getByRole('link').click();
  await page.getByRole('region', { name: 'Terlewat' }).getByRole('button', { name: 'Kirim sekarang' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Kirim sekarang' }).click();
  await expect(page).toHaveURL(/\/owner\/sends\/\d+\?sent$/);
  await expect(popUps(portal).filter({ hasText: 'Jangan lupa absen' })).toBeVisible(within20s);

  // After an outage of days, the newest missed send is asked about, and all can be discarded together.
  await sql()`update send_rules set starts_on = starts_on - 10 where company_id = ${companyId}`;
  await sql()`update planned_sends set leaves_at = now() - interval '3 days' where company_id = ${companyId}`;
  await page.goto('/owner/sends/planned');
  const missed = page.getByRole('region', { name: 'Terlewat' });
  await reloadUntil(page, () => expect(missed).toContainText(/Jangan lupa absen.*kali tidak terkirim/s));
  await expect(missed.getByRole('button', { name: 'Kirim sekarang' })).toHaveCount(1);
  await missed.getByRole('button', { name: 'Buang semua' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Buang semua' }).click();
  await expect(missed).toHaveCount(0);

  await page.goto('/owner/sends/planned');
  await repeating.getByRole('button', { name: 'Akhiri' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Akhiri' }).click();
  await expect(page.getByText('Belum ada pesan terjadwal')).toBeVisible();
  await page.goto('/owner/audit');
  for (const action of ['plan.create', 'plan.edit', 'plan.send', 'rule.create', 'rule.end'])
    await expect(page.locator(`[data-action="${action}"]`)).toHaveCount(1);
  await expect(page.locator('[data-action="plan.miss"]').first()).toBeVisible();
  await expect(page.locator('[data-repeats]').filter({ hasText: 'dibatalkan' })).toBeVisible();
});
