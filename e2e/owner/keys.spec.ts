import { execFileSync } from 'node:child_process';
import { sql } from '#db/client.ts';
import { expect, steady, test } from '#e2e/fixtures/browser.ts';
import { principalOf } from '#e2e/fixtures/calls.ts';
import { makeCompany, password } from '#e2e/fixtures/company.ts';
import {
  callFrom,
  chooseForKey,
  createOnPage,
  forgetProof,
  keyRow,
  saveKey,
  shownKey,
} from '#e2e/fixtures/keys-page.ts';
import { mostActiveKeys } from '#server/keys.ts';

test.beforeEach(async ({ page }) => {
  // The other company has a key of its own, which nobody here may ever see.
  const other = await makeCompany();
  await other.newKey('kunci tetangga');
  page.on('response', async (response) => {
    if (!response.url().includes('/owner')) return;
    expect(await response.text().catch(() => '')).not.toContain('tetangga');
  });
});

const run = (program: string, args: string[]) =>
  JSON.parse(execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));

test('a key is shown once, with copy and programs that work as pasted; the list never shows it again', async ({
  page,
  context,
  company,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await company.hire();
  await signIn(page, company.username);
  await page.goto('/owner/keys');
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
  expect(run('sh', ['-c', await snippet('curl')])).toEqual(sent);
  expect(run(process.execPath, ['-e', await snippet('Node')])).toEqual(sent);
  expect(run('python3', ['-c', await snippet('Python')])).toEqual(sent);
  expect(await snippet('PHP')).toContain(`'X-API-Key: ${key}'`);
  const { nodes, connections } = JSON.parse(await snippet('n8n'));
  const [trigger, request] = nodes;
  expect(connections[trigger.name].main[0][0].node).toBe(request.name);
  expect(request.type).toBe('n8n-nodes-base.httpRequest');
  const { url, method, headerParameters, bodyParameters } = request.parameters;
  const pairs = (list: { name: string; value: string }[]) =>
    Object.fromEntries(list.map((one) => [one.name, one.value]));
  const asSent = await fetch(url, {
    ...{ method, headers: { 'Content-Type': 'application/json', ...pairs(headerParameters.parameters) } },
    body: JSON.stringify(pairs(bodyParameters.parameters)),
  });
  expect(await asSent.json()).toEqual(sent);

  await saveKey(page);
  await expect(keyRow(page, 'n8n gaji')).toContainText(/[0-9a-f]{8}/);
  await expect(keyRow(page, 'n8n gaji')).toContainText('Aktif');
  await page.reload();
  expect(await page.content()).not.toContain(key.slice(4, 30));
});

test('the dialog with the key is not closed by a stray click, and Escape asks first', async ({
  page,
  company,
  signIn,
}) => {
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  await createOnPage(page, 'cron');
  const shown = page.getByRole('textbox', { name: 'Kunci API' });
  await page.mouse.click(5, 5);
  await expect(shown).toBeVisible();
  await page.keyboard.press('Escape');
  const asking = page.getByRole('dialog', { name: 'Sudah menyimpan kunci ini?' });
  await expect(asking.getByRole('button', { name: 'Kembali ke kunci' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(asking).toHaveCount(0);
  await expect(shown).toBeVisible();
  await page.keyboard.press('Escape');
  await asking.getByRole('button', { name: 'Saya sudah menyimpan kunci' }).click();
  await expect(shown).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('teksnya hilang')).toHaveCount(0);
});

test('where the clipboard is refused the key is selected and says so; a reload warns, and then says that the key is gone', async ({
  page,
  company,
  signIn,
}) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  const key = await createOnPage(page, 'cron');
  await page.getByRole('button', { name: 'Salin kunci' }).click();
  await expect(page.getByText('Browser menolak menyalin')).toBeVisible();
  expect(await page.evaluate(() => document.getSelection()?.toString())).toBe(key);
  let asked = '';
  page.once('dialog', (dialog) => {
    asked = dialog.type();
    void dialog.accept();
  });
  await page.reload();
  expect(asked).toBe('beforeunload');
  await expect(page.getByText('Kunci “cron” sudah dibuat, tetapi teksnya hilang')).toBeVisible();
  expect(await page.content()).not.toContain(key.slice(4, 30));
});

test('a key without a name, with a name of 61 characters or a taken one, or a 51st one is refused with a sentence', async ({
  page,
  company,
  signIn,
}) => {
  await company.newKey('sudah ada');
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  await page.getByRole('button', { name: 'Buat kunci' }).click();
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Buat kunci' });
  const name = page.getByRole('textbox', { name: 'Nama kunci' });
  for (const [typed, sentence] of [
    ['   ', 'Wajib diisi'],
    ['x'.repeat(61), 'Terlalu panjang'],
    [' sudah ada ', 'Sudah ada kunci aktif dengan nama ini'],
  ] as const) {
    await name.fill(typed);
    await submit.click();
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await expect(name).toHaveValue(typed);
  }
  for (let made = 1; made < mostActiveKeys; made++) await company.newKey();
  await name.fill('yang ke-51');
  await submit.click();
  await expect(page.getByText('Paling banyak 50 kunci aktif')).toBeVisible();
  await expect(name).toHaveValue('yang ke-51');
});

test('revoking says what it does and who would notice; a key in use is revoked only by typing its name', async ({
  page,
  company,
  signIn,
  baseURL,
}) => {
  const [key, unused] = [await company.newKey('skrip lama'), await company.newKey('cadangan')];
  const headers = { 'X-API-Key': key };
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  const dialog = page.getByRole('dialog');
  await chooseForKey(page, 'cadangan', 'Cabut');
  await expect(dialog).toContainText('Permintaan berikutnya dengan kunci ini langsung ditolak (401)');
  await expect(dialog).toContainText('belum pernah dipakai');
  await expect(dialog.getByRole('button', { name: 'Batal' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(keyRow(page, 'cadangan')).toHaveCount(0);
  expect((await callFrom(baseURL, { headers: { 'X-API-Key': unused } })).status).toBe(401);

  await chooseForKey(page, 'skrip lama', 'Cabut');
  await expect(dialog).toContainText('belum pernah dipakai');
  expect((await callFrom(baseURL, { headers })).status).toBe(200);
  await expect(dialog).toContainText('Kunci ini masih dipakai');
  await expect(dialog).toContainText('dari 203.0.113.7 · curl/8.5');
  await expect(dialog).toContainText('1 permintaan dalam 24 jam terakhir');
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(dialog).toContainText('Tidak sama dengan nama kunci');
  expect((await callFrom(baseURL, { headers })).status).toBe(200);
  await dialog.getByRole('textbox').fill('skrip lama');
  await dialog.getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(keyRow(page, 'skrip lama')).toHaveCount(0);
  expect((await callFrom(baseURL, { headers, address: '203.0.113.50', client: 'cron-gaji' })).status).toBe(401);

  await expect(async () => {
    await page.reload();
    await expect(page.locator('[data-calling="skrip lama"]')).toContainText('203.0.113.50 · cron-gaji', {
      timeout: 500,
    });
  }).toPass();
  await page.getByRole('link', { name: 'Dicabut' }).click();
  await expect(keyRow(page, 'skrip lama')).toContainText('203.0.113.50 · cron-gaji');
  await expect(keyRow(page, 'cadangan')).toBeVisible();
  await expect(keyRow(page, 'kunci tetangga')).toHaveCount(0);
});

test('a key that somebody else revoked meanwhile leaves the list when it is revoked again', async ({
  page,
  context,
  company,
  signIn,
}) => {
  await company.newKey('rebutan');
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  const beside = steady(await context.newPage());
  await beside.goto('/owner/keys');
  for (const tab of [page, beside]) await chooseForKey(tab, 'rebutan', 'Cabut');
  for (const tab of [page, beside])
    await tab.getByRole('dialog').getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(beside.getByText('Kunci ini sudah dicabut.')).toBeVisible();
  await beside.getByRole('button', { name: 'Batal' }).click();
  await expect(keyRow(beside, 'rebutan')).toHaveCount(0);
});

test('whoever has not typed the password for 10 minutes types it before a key is made, replaced or revoked', async ({
  page,
  company,
  signIn,
}) => {
  await company.newKey('lama');
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  const prove = async (typed: string) => {
    const asking = page.getByRole('dialog', { name: 'Masukkan kata sandi Anda' });
    await asking.locator('[name=password]').fill(typed);
    await asking.getByRole('button', { name: 'Lanjutkan' }).click();
  };
  await forgetProof(company, 11);
  await page.getByRole('button', { name: 'Buat kunci' }).click();
  await page.getByRole('textbox', { name: 'Nama kunci' }).fill('baru');
  await page.getByRole('dialog').getByRole('button', { name: 'Buat kunci' }).click();
  await prove('bukan kata sandinya');
  await expect(page.getByText('Kata sandi sekarang salah')).toBeVisible();
  await prove(password);
  expect(await shownKey(page)).toMatch(/^jss_/);
  await saveKey(page);

  await forgetProof(company, 9);
  await chooseForKey(page, 'lama', 'Buat kunci pengganti');
  await page.getByRole('dialog').getByRole('button', { name: 'Buat kunci pengganti' }).click();
  expect(await shownKey(page)).toMatch(/^jss_/);
  await saveKey(page);

  await forgetProof(company, 11);
  await chooseForKey(page, 'baru', 'Buat kunci pengganti');
  await page.getByRole('dialog').getByRole('button', { name: 'Buat kunci pengganti' }).click();
  await prove(password);
  await saveKey(page);
  await forgetProof(company, 11);
  await chooseForKey(page, 'baru', 'Cabut');
  await page.getByRole('dialog').getByRole('button', { name: 'Cabut', exact: true }).click();
  await prove(password);
  await expect(keyRow(page, 'baru')).toHaveCount(0);
  await expect(keyRow(page, 'baru 2')).toBeVisible();
});

test('a replacement works beside the old key; the light turns green when the traffic has moved; then the old one is revoked', async ({
  page,
  company,
  signIn,
  baseURL,
}) => {
  const old = await company.newKey('gaji');
  const call = (key: string) => callFrom(baseURL, { headers: { 'X-API-Key': key }, client: 'skrip-gaji' });
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  expect((await call(old)).status).toBe(200);
  await chooseForKey(page, 'gaji', 'Buat kunci pengganti');
  await expect(page.getByRole('textbox', { name: 'Nama kunci' })).toHaveValue('gaji 2');
  await page.getByRole('dialog').getByRole('button', { name: 'Buat kunci pengganti' }).click();
  const fresh = await shownKey(page);
  await saveKey(page);
  const pair = page.locator('[data-pair="gaji 2"]');
  const turns = (state: string) =>
    expect(async () => {
      await page.reload();
      await expect(pair).toHaveAttribute('data-state', state, { timeout: 500 });
    }).toPass();
  await turns('waiting');
  await expect(pair).toContainText('Menunggu: kunci baru belum pernah dipakai');
  expect([(await call(fresh)).status, (await call(old)).status]).toEqual([200, 200]);
  await turns('both');
  // The old key falls silent: nothing but time can show that.
  const { companyId, id } = await principalOf(old);
  await sql()`update key_uses set first_at = now() - interval '2 days', last_at = now() - interval '2 days'
    where company_id = ${companyId} and key_id = ${id}`;
  await turns('moved');
  await expect(pair).toContainText('Sudah pindah');
  await pair.getByRole('button', { name: 'Cabut kunci lama gaji' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cabut', exact: true }).click();
  await expect(pair).toHaveCount(0);
  expect([(await call(fresh)).status, (await call(old)).status]).toEqual([200, 401]);
});

test('a key has a note, can demand confirmation and can be expected to send; the audit log says what changed', async ({
  page,
  company,
  signIn,
}) => {
  await company.newKey('cron harian');
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  await chooseForKey(page, 'cron harian', 'Ubah');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Catatan' }).fill('x'.repeat(501));
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(dialog.getByText('Terlalu panjang')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Catatan' }).fill('server kantor');
  await dialog.getByRole('switch', { name: 'Penerima harus mengonfirmasi' }).click();
  await dialog.getByRole('combobox', { name: 'Peringatkan saya' }).selectOption('1 hari');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await expect(keyRow(page, 'cron harian')).toContainText('server kantor');
  await expect(keyRow(page, 'cron harian')).toContainText('Wajib dikonfirmasi');
  await expect(keyRow(page, 'cron harian')).toContainText('Peringatan bila diam 1 hari');
  await page.goto('/owner/audit');
  await expect(page.locator('[data-action="key.edit"]')).toContainText(
    'Mengubah kunci cron harian: Catatan: – → server kantor; Wajib dikonfirmasi: Tidak → Ya; Kiriman diharapkan: – → setiap hari',
  );
});

test('the list says how often a key was used and refused, and points out one unused for 90 days', async ({
  page,
  company,
  signIn,
  baseURL,
}) => {
  const key = await company.newKey('sibuk');
  const { companyId, id } = await principalOf(await company.newKey('tidur'));
  await sql()`update api_keys set created_at = now() - interval '91 days' where company_id = ${companyId} and id = ${id}`;
  const headers = { 'X-API-Key': key };
  await callFrom(baseURL, { headers });
  await callFrom(baseURL, { headers, search: '?aksi=PING' });
  await signIn(page, company.username);
  await expect(async () => {
    await page.goto('/owner/keys');
    await expect(keyRow(page, 'sibuk')).toContainText('2 permintaan', { timeout: 500 });
  }).toPass();
  await expect(keyRow(page, 'sibuk')).toContainText('dari 203.0.113.7 · curl/8.5');
  await expect(keyRow(page, 'tidur')).toContainText('Tidak dipakai 90 hari');
  await keyRow(page, 'sibuk').getByRole('link', { name: '1 ditolak dari kunci sibuk' }).click();
  await expect(page).toHaveURL(/\/owner\/audit\/refused\?key=\d+$/);
  await expect(page.locator('[data-refused]')).toHaveCount(1);
});

test('without a connection nothing that was typed is lost, and it is said', async ({
  page,
  context,
  company,
  signIn,
  baseURL,
}) => {
  const key = await company.newKey('lama');
  await signIn(page, company.username);
  await page.goto('/owner/keys');
  await page.getByRole('button', { name: 'Buat kunci' }).click();
  await page.getByRole('textbox', { name: 'Nama kunci' }).fill('baru');
  await page.getByRole('textbox', { name: 'Catatan' }).fill('di kantor');
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Buat kunci' });
  await context.setOffline(true);
  await submit.click();
  await expect(page.getByText('Terjadi kesalahan. Coba lagi.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Catatan' })).toHaveValue('di kantor');
  await context.setOffline(false);
  await submit.click();
  expect(await shownKey(page)).toMatch(/^jss_/);
  await saveKey(page);
  await chooseForKey(page, 'lama', 'Pantau');
  await context.setOffline(true);
  await expect(page.getByText('Terputus, mencoba lagi…')).toBeVisible();
  await context.setOffline(false);
  await callFrom(baseURL, { headers: { 'X-API-Key': key } });
  await expect(page.getByRole('dialog')).toContainText('Ping diterima');
  await expect(page.getByText('Terputus, mencoba lagi…')).toHaveCount(0);
});

test('only the owner reaches the management area', async ({ page, browser, baseURL, signInAsEmployee }) => {
  await signInAsEmployee(page);
  for (const path of [
    '/owner',
    '/owner/keys',
    '/owner/employees',
    '/owner/audit',
    '/owner/audit/refused',
    '/owner/settings',
  ]) {
    await page.goto(path);
    await expect(page).toHaveURL('/portal');
    const stranger = steady(await (await browser.newContext({ baseURL })).newPage());
    await stranger.goto(path);
    await expect(stranger).toHaveURL(/\/login\?returnTo=%2Fowner/);
    await stranger.close();
  }
});
