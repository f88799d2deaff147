import { bell, entries, expect, popUps, test, within20s } from '#e2e/support/browser/browser.ts';
import { makeNeighbour, writeManualDraft } from '#e2e/support/data/sends.ts';
import { startBufferingProxy } from '#e2e/support/proxies/proxy.ts';
import { listSends } from '#server/sends/history/list.ts';

test('a correction and a withdrawal reach open portals within 20 s, by streams and by polls (X18)', async ({
  page,
  baseURL,
  company,
  signIn,
  send,
  visit,
}) => {
  test.setTimeout(150_000);
  const neighbour = await makeNeighbour(2);
  const proxy = await startBufferingProxy(baseURL ?? '');
  const open = async (base: string) => {
    const portal = await visit({ baseURL: base });
    await signIn(portal, await company.giveAccount(await company.hire()));
    await portal.goto('/portal');
    return portal;
  };
  const portals = [await open(baseURL ?? ''), await open(proxy.url)];
  await send({ judul: 'Yang tetap' });
  const no = await writeManualDraft(company, { title: 'Rapat jam 8', body: 'Di gudang lama' });
  for (const portal of portals) {
    await expect(popUps(portal).filter({ hasText: 'Rapat jam 8' })).toBeVisible(within20s);
    // A pop-up stays open while the pointer is on it.
    await popUps(portal).filter({ hasText: 'Rapat jam 8' }).hover();
  }
  await signIn(page, company.username, `/owner/sends/${no}`);
  await page.getByRole('button', { name: 'Koreksi' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Judul' }).fill('');
  await dialog.getByRole('button', { name: 'Koreksi' }).click();
  await expect(dialog).toContainText('Judul wajib diisi');
  await dialog.getByRole('textbox', { name: 'Judul' }).fill('Rapat jam 9');
  await dialog.getByRole('textbox', { name: 'Isi' }).fill('Di gudang baru');
  await dialog.getByRole('button', { name: 'Koreksi' }).click();
  await expect(page.locator('[data-corrections]')).toContainText(/Dikoreksi .* WIB/);
  await page.getByText('Teks sebelumnya').click();
  await expect(page.locator('[data-corrections]')).toContainText(/Rapat jam 8.*Di gudang lama.*oleh Pemilik Uji/s);
  for (const portal of portals) {
    await expect(popUps(portal).filter({ hasText: /Rapat jam 9.*Dikoreksi.*Di gudang baru/s })).toHaveCount(
      1,
      within20s,
    );
    await portal.reload();
    await expect(entries(portal).filter({ hasText: 'Rapat jam 9' })).toContainText('Dikoreksi');
    await expect(entries(portal).filter({ hasText: 'Rapat jam 8' })).toHaveCount(0);
    await expect(popUps(portal).filter({ hasText: 'Rapat jam 8' })).toHaveCount(0);
    await expect(bell(portal, 2)).toBeVisible();
    // Not opened, which would mark it read.
    const html = await (await portal.request.get(`/portal/notifications/${no}`)).text();
    for (const text of ['Dikoreksi', 'Rapat jam 9', 'Di gudang baru']) expect(html).toContain(text);
  }

  await page.getByRole('button', { name: 'Tarik pesan' }).click();
  await expect(dialog).toContainText('hilang dari semua portal');
  await expect(dialog.getByRole('button', { name: 'Batal' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Tarik pesan' }).click();
  await expect(page.getByText(/WIB\s+oleh Pemilik Uji/).last()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tarik pesan' })).toBeHidden();
  for (const portal of portals) {
    await expect(entries(portal).filter({ hasText: 'Rapat jam 9' })).toHaveCount(0, within20s);
    await expect(popUps(portal).filter({ hasText: 'Rapat jam 9' })).toHaveCount(0);
    await expect(bell(portal, 1)).toBeVisible(within20s);
    await expect(entries(portal).filter({ hasText: 'Yang tetap' })).toBeVisible();
    await portal.goto('/portal/notifications');
    await expect(entries(portal)).toHaveCount(1);
  }
  await page.goto('/owner/sends?state=withdrawn');
  await expect(page.locator('[data-send]')).toHaveCount(1);
  await expect(page.locator('[data-send]')).toContainText(/Rapat jam 9.*Ditarik/s);
  await page.goto('/owner/audit');
  await expect(page.locator('[data-action="notification.correct"]')).toContainText('Rapat jam 8');
  await expect(page.locator('[data-action="notification.withdraw"]')).toContainText('Menarik “Rapat jam 9”');
  expect((await listSends(neighbour.company.owner)).sends).toHaveLength(2);
  await expect(page.locator('body')).not.toContainText(neighbour.names);
  for (const portal of portals) await portal.context().close();
  await proxy.stop();
});
