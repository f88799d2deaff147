import { sql } from '#db/client.ts';
import { entries, expect, popUps, test, within20s } from '#e2e/support/browser/browser.ts';
import { expectAudited, write } from '#e2e/support/browser/owner-pages.ts';
import { bell, expectPopUp } from '#e2e/support/browser/portal-pages.ts';
import { writeManualDraft } from '#e2e/support/data/sends.ts';
import { startBufferingProxy } from '#e2e/support/proxies/proxy.ts';
import { withdrawNotification } from '#server/sends/history/changes.ts';

// Too narrow for a list with the notification beside it.
test.use({ viewport: { width: 1024, height: 720 } });

test('rows have kind, title, text and time, and open it', async ({ page, signInAsEmployee, send, baseURL }) => {
  const { employeeId } = await signInAsEmployee(page);
  const isi = 'baris satu\nbaris dua';
  await send({ judul: 'Lama', isi, jenis: 'kasbon' });
  await send({ judul: 'Berkas', isi, url: '/portal/help?x=1#bagian', user_id: employeeId, jenis: 'entah' });
  await page.goto('/portal/notifications');
  await expect(entries(page)).toHaveCount(2);
  await expect(entries(page).nth(0)).toContainText('Berkas');
  await expect(entries(page).nth(0).locator('svg[data-kind=info]')).toBeVisible();
  await expect(entries(page).nth(1).locator('svg[data-kind=kasbon]')).toBeVisible();
  await expect(entries(page).nth(1)).toContainText(/Lama.* WIB.*Kasbon · Sistem Uji · \s*Isi disembunyikan/s);
  await expect(entries(page).nth(1).getByText('Belum dibaca:')).toBeAttached();
  // The whole row is the target.
  await entries(page)
    .first()
    .click({ position: { x: 20, y: 40 } });
  await expect(page).toHaveURL('/portal/notifications/2');
  const opened = page.getByRole('article');
  await expect(opened.getByRole('heading', { level: 1 })).toHaveText('Berkas');
  await expect(opened).toContainText(/dari sistem “Sistem Uji” perusahaan Anda · \d+ \S+ \d{4}.* WIB/);
  await expect(opened.getByText('baris satu')).toHaveCSS('white-space', 'pre-line');
  await expect(bell(page, 1)).toBeVisible();
  await opened.getByRole('button', { name: 'Tandai belum dibaca' }).click();
  await expect(bell(page, 2)).toBeVisible();
  await page.reload();
  await expect(bell(page, 1)).toBeVisible();
  const link = opened.getByRole('link', { name: 'Buka tautan' });
  await expect(link).toHaveAttribute('href', '/portal/help?x=1#bagian');
  await link.click();
  await expect(page).toHaveURL(`${baseURL}/portal/help?x=1#bagian`);
});

test('a link of the company portal opens there, or is text', async ({ portal: page, company, signIn, send, visit }) => {
  await send({ judul: 'Slip', url: '/gaji/2026-11' });
  await page.goto('/portal/notifications/1');
  const opened = page.getByRole('article');
  await expect(opened.getByText('/gaji/2026-11')).toHaveCount(0);
  await expect(opened.getByRole('link')).toHaveCount(0);

  const owner = await visit();
  await signIn(owner, company.username, '/owner/settings/company');
  const form = owner.getByRole('region', { name: 'Tautan pesan' });
  const outcomes = { 'hr.example.com': 'Tulis alamat lengkap', 'https://hr.example.com/erp': 'Tersimpan' };
  for (const [address, says] of Object.entries(outcomes)) {
    await form.getByLabel('Alamat portal perusahaan').fill(address);
    await form.getByRole('button', { name: 'Simpan' }).click();
    await expect(form.getByText(says)).toBeVisible();
  }
  await page.reload();
  const link = opened.getByRole('link', { name: 'Buka di hr.example.com' });
  await expect(link).toHaveAttribute('href', 'https://hr.example.com/erp/gaji/2026-11');
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');

  // A link that reached the database in another way stays text.
  await sql()`update notifications set url = 'javascript:alert(1)' where company_id = ${company.owner.companyId}`;
  await page.reload();
  await expect(opened).toContainText('javascript:alert(1)');
  await expect(opened.getByRole('link')).toHaveCount(0);
});

test('a notification that was withdrawn or never was mine is said kindly', async ({ portal: page, company, send }) => {
  const other = await company.hire();
  await send({ judul: 'Keliru', isi: 'isi keliru' });
  await send({ judul: 'Rahasia', user_id: other.employeeId });
  await page.goto('/portal/notifications/1');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Keliru');
  expect(await withdrawNotification(company.owner, 1)).toBe('withdrawn');
  await expect(page.getByText('Pesan ini sudah ditarik')).toBeVisible(within20s);
  await page.reload();
  await expect(page.getByText('Pesan ini sudah ditarik')).toBeVisible();
  for (const no of ['2', '999', 'bukan-nomor']) {
    expect((await page.goto(`/portal/notifications/${no}`))?.status()).toBe(404);
    await expect(page.getByText('Notifikasi ini tidak ada')).toBeVisible();
    await expect(page.locator('body')).not.toContainText('Rahasia');
  }
});

test('a correction and a withdrawal reach open portals within 20 s, by streams and by polls (X18)', async ({
  baseURL,
  company,
  send,
  visit,
  signInAsEmployee,
  openOwner,
}) => {
  test.setTimeout(150_000);
  const proxy = await startBufferingProxy(baseURL ?? '');
  const open = async (base: string) => {
    const portal = await visit({ baseURL: base });
    await signInAsEmployee(portal);
    await portal.goto('/portal');
    return portal;
  };
  const portals = [await open(baseURL ?? ''), await open(proxy.url)];
  await send({ judul: 'Yang tetap' });
  const no = await writeManualDraft(company, { title: 'Rapat jam 8', body: 'Di gudang lama' });
  // The pointer keeps each pop-up open. Otherwise one portal's may close before the other's appears.
  await Promise.all(portals.map((portal) => popUps(portal).filter({ hasText: 'Rapat jam 8' }).hover(within20s)));
  const page = await openOwner(`/owner/sends/${no}`);
  await page.getByRole('button', { name: 'Koreksi' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Judul' }).fill('');
  await dialog.getByRole('button', { name: 'Koreksi' }).click();
  await expect(dialog).toContainText('Judul wajib diisi');
  await write(page, 'Rapat jam 9', 'Di gudang baru');
  await dialog.getByRole('button', { name: 'Koreksi' }).click();
  await expect(page.locator('[data-corrections]')).toContainText(/Dikoreksi .* WIB/);
  await page.getByText('Teks sebelumnya').click();
  await expect(page.locator('[data-corrections]')).toContainText(/Rapat jam 8.*Di gudang lama.*oleh Pemilik Uji/s);
  for (const portal of portals) {
    await expectPopUp(portal, /Rapat jam 9.*Dikoreksi.*Di gudang baru/s);
    await portal.reload();
    await expect(entries(portal).filter({ hasText: 'Rapat jam 9' })).toContainText('Dikoreksi');
    await expect(entries(portal).filter({ hasText: 'Rapat jam 8' })).toHaveCount(0);
    await expect(popUps(portal).filter({ hasText: 'Rapat jam 8' })).toHaveCount(0);
    await expect(bell(portal, 2)).toBeVisible();
    // Not opened, which would mark it read.
    const html = await (await portal.request.get(`/portal/notifications/${no}`)).text();
    for (const text of ['Dikoreksi', 'Rapat jam 9', 'Di gudang baru']) expect(html).toContain(text);
  }

  await page.getByRole('button', { name: 'Tindakan lain' }).click();
  await page.getByRole('menuitem', { name: 'Tarik pesan' }).click();
  await expect(dialog).toContainText('hilang dari semua portal');
  await expect(dialog.getByRole('button', { name: 'Batal' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Tarik pesan' }).click();
  await expect(page.getByText(/WIB\s+oleh Pemilik Uji/).last()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Koreksi' })).toBeHidden();
  for (const portal of portals) {
    await expect(entries(portal).filter({ hasText: 'Rapat jam 9' })).toHaveCount(0, within20s);
    await expect(popUps(portal).filter({ hasText: 'Rapat jam 9' })).toHaveCount(0);
    await expect(bell(portal, 1)).toBeVisible(within20s);
    await expect(entries(portal).filter({ hasText: 'Yang tetap' })).toBeVisible();
    await portal.goto('/portal/notifications');
    await expect(entries(portal)).toHaveCount(1);
  }
  await page.goto('/owner/sends?state=withdrawn');
  await expect(page.locator('[data-send]')).toContainText(/Rapat jam 9.*Ditarik/s);
  await expectAudited(page, 'notification.correct', 'notification.withdraw');
  for (const portal of portals) await portal.context().close();
  await proxy.stop();
});
