import { execFileSync } from 'node:child_process';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { createOnPage, keyRow, saveKey } from '#e2e/support/browser/owner-pages.ts';
import { lacks } from '#e2e/support/programs.ts';

const run = (program: string, args: string[]) =>
  JSON.parse(execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));

test('a key is shown once, with a copy button and programs that work', async ({ context, company, openOwner }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await company.hire();
  const page = await openOwner('/owner/keys');
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
  const headers = { 'Content-Type': 'application/json', ...pairs(headerParameters.parameters) };
  const body = JSON.stringify(pairs(bodyParameters.parameters));
  const response = await fetch(url, { method, headers, body });
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

test('only an answer closes the dialog of a key; a reload warns', async ({ page, company, signIn }) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  await signIn(page, company.username, '/owner/keys');
  await createOnPage(page, 'stok');
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
  await expect(page.getByText('tetapi tidak bisa ditampilkan lagi')).toHaveCount(0);

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
