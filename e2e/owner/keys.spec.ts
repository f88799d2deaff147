import { execFileSync } from 'node:child_process';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { chooseForKey, createOnPage, keyRow, saveKey, watchForForeignData } from '#e2e/support/browser/owner-pages.ts';
import { lacks } from '#e2e/support/programs.ts';

test.beforeEach(({ page }) => watchForForeignData(page));

const run = (program: string, args: string[]) =>
  JSON.parse(execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));

test('a key is shown once, with a copy button and sample programs that work', async ({
  page,
  context,
  company,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await company.hire();
  await signIn(page, company.username, '/owner/keys');
  await expect(page.getByText('Belum ada kunci API')).toBeVisible();
  const key = await createOnPage(page, 'n8n gaji');
  expect(key).toMatch(/^jss_[0-9A-Za-z]{64}$/);
  await page.getByRole('button', { name: 'Salin kunci' }).click();
  await expect(page.getByRole('button', { name: 'Tersalin' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);

  const snippet = async (language: string) => {
    await page.getByRole('tab', { name: language }).click();
    return page.getByRole('textbox', { name: `Kode ${language}` }).inputValue();
  };
  const sent = { ok: true, terkirim: 1 };
  if (!lacks('curl')) expect(run('sh', ['-c', await snippet('curl')])).toEqual(sent);
  expect(run(process.execPath, ['-e', await snippet('Node')])).toEqual(sent);
  if (!lacks('python3')) expect(run('python3', ['-c', await snippet('Python')])).toEqual(sent);
  expect(await snippet('PHP')).toContain(`'X-API-Key: ${key}'`);
  const { nodes, connections } = JSON.parse(await snippet('n8n'));
  const [trigger, request] = nodes;
  expect(connections[trigger.name].main[0][0].node).toBe(request.name);
  expect(request.type).toBe('n8n-nodes-base.httpRequest');
  const { url, method, headerParameters, bodyParameters } = request.parameters;
  const pairs = (list: { name: string; value: string }[]) =>
    Object.fromEntries(list.map((one) => [one.name, one.value]));
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...pairs(headerParameters.parameters) },
    body: JSON.stringify(pairs(bodyParameters.parameters)),
  });
  expect(await response.json()).toEqual(sent);
  const recipe = page.getByRole('link', { name: 'Resep n8n selengkapnya' });
  await expect(recipe).toHaveAttribute('target', '_blank');
  await expect(recipe).toHaveAttribute('rel', 'noopener');
  expect((await page.request.get((await recipe.getAttribute('href')) ?? '')).status()).toBe(200);

  await saveKey(page);
  await keyRow(page, 'n8n gaji').getByRole('link', { name: 'n8n gaji' }).click();
  await expect(page).toHaveURL(/\/owner\/keys\/\d+$/);
  await page.getByText('Rincian teknis').click();
  await expect(page.locator('details code')).toHaveText(/^[0-9a-f]{8}$/);
  await page.reload();
  expect(await page.content()).not.toContain(key.slice(4, 30));
});

test('a click outside does not close the dialog of a new key, and Escape asks first', async ({
  page,
  company,
  signIn,
}) => {
  await signIn(page, company.username, '/owner/keys');
  await createOnPage(page, 'cron');
  const shown = page.getByRole('textbox', { name: 'Kunci API' });
  await page.mouse.click(5, 5);
  await expect(shown).toBeVisible();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Sudah menyimpan kunci ini?' });
  await expect(question.getByRole('button', { name: 'Kembali ke kunci' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(shown).toBeVisible();
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Saya sudah menyimpan kunci' }).click();
  await expect(shown).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('teksnya hilang')).toHaveCount(0);
});

test('a refused clipboard selects the key; a reload warns and then says that the key is gone', async ({
  page,
  company,
  signIn,
}) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  await signIn(page, company.username, '/owner/keys');
  const key = await createOnPage(page, 'cron');
  await page.getByRole('button', { name: 'Salin kunci' }).click();
  await expect(page.getByText('Browser tidak mengizinkan penyalinan')).toBeVisible();
  expect(await page.evaluate(() => document.getSelection()?.toString())).toBe(key);
  let asked = '';
  page.once('dialog', (dialog) => {
    asked = dialog.type();
    void dialog.accept();
  });
  await page.reload();
  expect(asked).toBe('beforeunload');
  await expect(page.getByText('Kunci “cron” sudah dibuat, tetapi tidak bisa ditampilkan lagi')).toBeVisible();
  expect(await page.content()).not.toContain(key.slice(4, 30));
});

test('name, last day, note, confirmation and expected interval of a key are changed and audited', async ({
  page,
  company,
  signIn,
}) => {
  await company.newKey('cron harian');
  await company.newKey('sudah ada');
  await signIn(page, company.username, '/owner/keys');
  await chooseForKey(page, 'cron harian', 'Ubah');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Catatan' }).fill('x'.repeat(501));
  await dialog.getByLabel('Berlaku sampai').fill('2026-01-01');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(dialog.getByText('Terlalu panjang')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Catatan' }).fill('server kantor');
  await dialog.getByRole('textbox', { name: 'Nama kunci' }).fill('sudah ada');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(dialog.getByText('Pilih hari ini atau sesudahnya')).toBeVisible();
  await dialog.getByLabel('Berlaku sampai').fill('2099-12-31');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(dialog.getByText('Sudah ada kunci aktif dengan nama ini')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Nama kunci' }).fill('cron malam');
  await dialog.getByRole('switch', { name: 'Pesan dari kunci ini wajib dikonfirmasi' }).click();
  await dialog.getByRole('combobox', { name: 'Peringatkan saya' }).selectOption('1 hari');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(page.getByRole('button', { name: 'Tindakan untuk kunci cron malam' })).toBeFocused();
  await keyRow(page, 'cron malam').getByRole('link', { name: 'cron malam' }).click();
  const settings = page.getByRole('region', { name: 'Pengaturan' });
  await expect(settings).toContainText('server kantor');
  await expect(settings).toContainText('Kamis, 31 Desember 2099');
  await expect(settings).toContainText('Setelah 1 hari tanpa pesan');
  await settings.getByRole('link', { name: 'Riwayat audit kunci ini' }).click();
  const entry = page.locator('[data-action="key.edit"]');
  for (const change of [
    'Mengubah kunci cron harian:',
    'Nama: cron harian → cron malam',
    'Catatan: – → server kantor',
    'Wajib dikonfirmasi: Tidak → Ya',
    'Pesan diharapkan: – → setiap hari',
    'Berlaku sampai: tanpa batas → 31 Desember 2099',
  ])
    await expect(entry).toContainText(change);
});
