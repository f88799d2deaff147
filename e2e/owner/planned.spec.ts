import { sql } from '#db/client.ts';
import { check } from '#e2e/support/browser/accessible.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { composer, expectAudited, pressTwice, reloadUntil, write } from '#e2e/support/browser/owner-pages.ts';
import { expectPopUp } from '#e2e/support/browser/portal-pages.ts';
import { aDraft } from '#e2e/support/data/sends.ts';
import { saveTemplate } from '#server/sends/manual/templates.ts';

test('a planned send is changed, leaves and rings; a missed one asks', async ({ company, openPortal, openOwner }) => {
  test.setTimeout(200_000);
  const portal = await openPortal();
  const page = await openOwner('/owner/sends/new');
  await write(page, 'Rapat besok');
  const when = page.locator('[data-when]');
  const { options, title } = composer(page);
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
  await expectPopUp(portal, 'Rapat pagi');

  await page.goto('/owner/sends/new');
  await write(page, 'Jangan lupa absen');
  await page.getByRole('button', { name: /^Minta jawaban/ }).click();
  await page.getByText('Ya / Tidak', { exact: true }).click();
  await options.click();
  await when.getByText('Berulang', { exact: true }).click();
  await when.getByLabel('Ulangi').selectOption('day');
  await expect(when.locator('[data-plan-sentence]')).toHaveText('Setiap hari pukul 08.00 WIB');
  await check(page, 'a repeating send');
  await page.getByRole('button', { name: 'Simpan jadwal' }).click();
  await expect(page.getByRole('region', { name: 'Berulang' })).toContainText(
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
  await pressTwice(page, 'Kirim sekarang');
  await expect(page).toHaveURL(/\/owner\/sends\/\d+\?sent$/);
  await expectPopUp(portal, 'Jangan lupa absen');

  await page.goto('/owner/sends/planned');
  await pressTwice(page, 'Akhiri');
  await expect(page.getByText('Belum ada pesan terjadwal')).toBeVisible();
  await expectAudited(page, 'plan.create', 'plan.edit', 'plan.send', 'rule.create', 'rule.end');
  await expect(page.locator('[data-action="plan.miss"]').first()).toBeVisible();
});
