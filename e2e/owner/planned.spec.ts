import { sql } from '#db/client.ts';
import { check } from '#e2e/support/browser/accessible.ts';
import {
  afterUndoTime,
  composer,
  entries,
  expect,
  heldBar,
  popUps,
  reloadUntil,
  sendTo,
  test,
  within20s,
} from '#e2e/support/browser/browser.ts';
import { makeNeighbour, toRoles, writeManualDraft } from '#e2e/support/data/sends.ts';
import { listSends } from '#server/sends/history/list.ts';

test('a send is planned, changed, leaves at its time and rings; a missed one is asked about', async ({
  page,
  company,
  signIn,
  visit,
}) => {
  test.setTimeout(200_000);
  const neighbour = await makeNeighbour(1);
  const employee = await company.hire('Budi Uji', 'Sopir');
  const portal = await visit();
  await signIn(portal, await company.giveAccount(employee));
  await portal.goto('/portal');
  await signIn(page, company.username, '/owner/sends/new');
  await page.getByRole('textbox', { name: 'Judul' }).fill('Rapat besok');
  await page.getByRole('textbox', { name: 'Isi' }).fill('Jam delapan di gudang');
  const when = page.locator('[data-when]');
  const { options } = composer(page);
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
  await page.getByRole('textbox', { name: 'Judul' }).fill('Rapat pagi');
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
  await page.getByRole('textbox', { name: 'Judul' }).fill('Jangan lupa absen');
  await page.getByRole('textbox', { name: 'Isi' }).fill('Sebelum jam delapan');
  await options.click();
  await when.getByText('Berulang', { exact: true }).click();
  await when.getByLabel('Ulangi').selectOption('day');
  await expect(when.locator('[data-plan-sentence]')).toHaveText('Setiap hari pukul 08.00 WIB');
  await check(page, 'a repeating send');
  await page.getByRole('button', { name: 'Simpan jadwal' }).click();
  const repeating = page.getByRole('region', { name: 'Berulang' });
  await expect(repeating).toContainText(/Jangan lupa absen.*Setiap hari pukul 08.00 WIB.*Berikutnya:/s);

  await check(page, 'what is planned');

  // Nothing could send it for more than an hour.
  await sql()`update planned_sends set leaves_at = now() - interval '2 hours' where company_id = ${companyId}`;
  await page.goto('/owner');
  await reloadUntil(page, () => expect(page.locator('[data-missed]')).toContainText('Jangan lupa absen'));
  await page.locator('[data-missed]').getByRole('button', { name: 'Kirim sekarang' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Kirim sekarang' }).click();
  await expect(page).toHaveURL(/\/owner\/sends\/\d+\?sent$/);
  await expect(popUps(portal).filter({ hasText: 'Jangan lupa absen' })).toBeVisible(within20s);

  // After an outage of days, the newest missed send is asked about, and all can be discarded together.
  await sql()`update send_rules set starts_on = starts_on - 10 where company_id = ${companyId}`;
  await sql()`update planned_sends set leaves_at = now() - interval '3 days' where company_id = ${companyId}`;
  await page.goto('/owner/sends/planned');
  const missed = page.getByRole('region', { name: 'Terlewat' });
  await reloadUntil(page, () => expect(missed).toContainText(/Jangan lupa absen.*kali tidak terkirim/s));
  await check(page, 'missed sends of a schedule');
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
  expect((await listSends(neighbour.company.owner)).sends).toHaveLength(1);
  await expect(page.locator('body')).not.toContainText(neighbour.names);
});

test.describe('on a phone', () => {
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
    await signIn(page, company.username, '/owner/sends/new');
    await sendTo(page, 'Peran');
    await page.getByRole('textbox', { name: 'Judul' }).fill('Seragam baru');
    await page.getByRole('textbox', { name: 'Isi' }).fill('Ambil di gudang.');
    await page.getByRole('button', { name: /^Kirim$/ }).click();
    await expect(page.getByText('Pilih paling sedikit satu peran')).toBeVisible();
    await page.getByRole('combobox', { name: 'Peran yang menerima' }).click();
    for (const role of [/^Kasir · 1 orang, 1 nonaktif$/, /^Koki · 1 orang$/])
      await page.getByRole('option', { name: role }).click();
    await expect(page.getByText('2 orang akan menerimanya, 1 nonaktif dilewati')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.getByRole('button', { name: 'Kirim ke 2 orang' }).click();
    await heldBar(page).getByRole('link', { name: 'Lihat' }).click(afterUndoTime);
    await expect(page.getByText('Kasir, Koki')).toBeVisible();
    await expect(page.getByText('2 orang, 1 nonaktif dilewati')).toBeVisible();
    await expect(page.locator('[data-person]')).toHaveCount(2);
    await expect(popUps(portal).filter({ hasText: 'Seragam baru' })).toBeVisible(within20s);

    await page.goto('/owner/sends/new');
    await sendTo(page, 'Beberapa orang');
    const search = page.getByRole('combobox', { name: 'Orang yang menerima' });
    for (const name of ['Siti', 'Joko']) {
      await search.fill(name);
      await page.getByRole('option', { name: new RegExp(name) }).click();
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
  });

  test('a send is sent again, kept as a template, used, renamed and deleted', async ({ page, company, signIn }) => {
    const neighbour = await makeNeighbour(1);
    await company.hire('Budi Uji', 'Kasir');
    await company.hire('Siti Uji', 'Koki');
    await writeManualDraft(company, {
      title: 'Rapat Senin',
      body: 'Jam tiga.',
      ...toRoles('Kasir', 'Koki'),
    });
    await signIn(page, company.username, '/owner/sends/1');
    await page.getByRole('button', { name: 'Tindakan lain' }).click();
    await page.getByRole('menuitem', { name: 'Kirim lagi' }).click();
    await expect(page.getByRole('textbox', { name: 'Judul' })).toHaveValue('Rapat Senin');
    await expect(composer(page).to).toHaveText('KepadaKasir, Koki(2 orang)');
    await expect(page.getByRole('button', { name: 'Kirim ke 2 orang' })).toBeVisible();

    await page.goto('/owner/sends/1');
    await page.getByRole('button', { name: 'Tindakan lain' }).click();
    await page.getByRole('menuitem', { name: 'Jadikan template' }).click();
    await page.getByRole('textbox', { name: 'Nama template' }).fill('Rapat kasir');
    await composer(page).to.click();
    await page.getByRole('combobox', { name: 'Peran yang menerima' }).press('Backspace');
    await expect(composer(page).to).toHaveText('KepadaKasir(1 orang)');
    await page.getByRole('button', { name: 'Simpan' }).click();
    await expect(page.locator('[data-template]')).toHaveCount(1);

    await page.goto('/owner/sends/1');
    await page.getByRole('button', { name: 'Tindakan lain' }).click();
    await page.getByRole('menuitem', { name: 'Jadikan template' }).click();
    await page.getByRole('textbox', { name: 'Nama template' }).fill('RAPAT KASIR');
    await page.getByRole('button', { name: 'Simpan' }).click();
    await expect(page.getByText('Nama ini sudah dipakai template lain')).toBeVisible();
    await page.getByRole('textbox', { name: 'Nama template' }).fill('Rapat semua');
    await page.getByRole('button', { name: 'Simpan' }).click();
    await expect(page.locator('[data-template]')).toHaveCount(2);
    await expect(page.locator('[data-template]').filter({ hasText: 'Rapat semua' })).toContainText('Kasir, Koki');

    await page.getByRole('link', { name: 'Ubah template Rapat kasir' }).click();
    await page.getByRole('textbox', { name: 'Nama template' }).fill('Rapat pagi');
    await page.getByRole('button', { name: 'Simpan' }).click();
    await page.getByRole('button', { name: 'Hapus template Rapat semua' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hapus' }).click();
    await expect(page.locator('[data-template]')).toHaveCount(1);
    await page.getByRole('link', { name: 'Pakai template Rapat pagi' }).click();
    await page.getByRole('button', { name: 'Kirim ke 1 orang' }).click();
    await expect(heldBar(page)).toContainText('Terkirim ke 1 orang', afterUndoTime);
    await page.getByRole('link', { name: 'Template', exact: true }).click();
    await expect(page.locator('[data-template]')).toContainText('Rapat pagi');
    await expect(page.locator('body')).not.toContainText(neighbour.names);
  });
});
