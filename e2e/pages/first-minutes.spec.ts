import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { countTones, expect, popUps, submitAccount, test, within20s } from '#e2e/support/browser/browser.ts';
import { fillSetup } from '#e2e/support/browser/owner-pages.ts';
import { expectSoundOn } from '#e2e/support/browser/portal-pages.ts';
import { withFreshService } from '#e2e/support/service/databases.ts';
import { startService } from '#e2e/support/service/service.ts';

/** Counts in a browser what its person does: presses, and fields that they type into. */
async function countEffort(page: Page): Promise<() => Promise<{ presses: number; fields: number }>> {
  await page.addInitScript(() => {
    const count = (name: string) => sessionStorage.setItem(name, String(Number(sessionStorage.getItem(name)) + 1));
    addEventListener('click', ({ isTrusted }) => isTrusted && count('presses'), true);
    addEventListener('change', ({ isTrusted }) => isTrusted && count('fields'), true);
  });
  return () =>
    page.evaluate(() => ({
      presses: Number(sessionStorage.getItem('presses')),
      fields: Number(sessionStorage.getItem('fields')),
    }));
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('from an empty service to the first ring: 5 fields, 4 presses, no key', async ({ page, visit }) => {
    test.slow();
    await withFreshService({}, async (service) => {
      await expect.poll(() => service.output()).toMatch(/open http\S+#\S+/);
      const effort = await countEffort(page);
      await page.goto(/open (http\S+#\S+)/.exec(service.output())?.[1] ?? '');
      await expect(page.locator('[name=code]')).toHaveCount(0);
      await fillSetup(page);
      await page.getByRole('button', { name: 'Buat perusahaan' }).click();
      await page.getByRole('button', { name: 'Tambahkan orang pertama' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Nama' }).fill('Siti Contoh');
      await dialog.getByRole('button', { name: 'Simpan dan buat tautan' }).click();
      await expect(dialog.getByRole('img', { name: 'Kode QR undangan Siti Contoh' })).toBeVisible();
      await expect(dialog.getByRole('link', { name: /WhatsApp/ })).toHaveAttribute('href', /^https:\/\/wa\.me\/\?text/);
      const link = await dialog.getByRole('textbox', { name: 'Tautan undangan' }).inputValue();

      const phone = await visit({ viewport: { width: 360, height: 740 } });
      const tones = await countTones(phone);
      await phone.goto(link);
      await expect(phone.getByRole('checkbox', { name: /uang/ })).toBeChecked();
      await submitAccount(phone, `siti-${randomUUID()}`);
      await expect(phone).toHaveURL(/\/portal\/notifications$/);
      await expectSoundOn(phone);

      // The dialog closes by itself when the person has an account.
      await expect(dialog).toHaveCount(0, within20s);
      await page.getByRole('button', { name: 'Kirim salam ke Siti Contoh' }).click();
      await expect(popUps(phone)).toContainText('Halo, Siti Contoh!', within20s);
      await expect.poll(tones).toBeGreaterThan(0);
      await expect(page.getByText('Siti Contoh sudah melihatnya')).toBeVisible();
      expect(await effort()).toEqual({ presses: 4, fields: 5 });

      await page.getByRole('button', { name: 'Buka Beranda' }).click();
      await expect(page.locator('#recent')).toContainText('Halo, Siti Contoh!');
      await expect(page.getByRole('link', { name: 'Buat kunci untuk sistem' })).toBeVisible();
      await page.goto(`${new URL(page.url()).origin}/owner/employees`);
      await expect(page.locator('[data-employee]')).toHaveCount(1);
      await expect(page.locator('[data-employee]'), 'known at once').not.toContainText('Belum pernah');
      await phone.context().close();
    });
  });
});

test('an employee who wants to read texts about money says so at the sign-up', async ({ page, company, send }) => {
  await page.goto(`/invite/${await company.invite(await company.hire('Karyawan Uji'))}`);
  await page.getByRole('checkbox', { name: /uang/ }).uncheck();
  await submitAccount(page, `karyawan-${randomUUID()}`);
  await expect(page).toHaveURL(/\/portal\/notifications$/);
  await send({ judul: 'Gaji', isi: 'Gaji November sudah masuk', jenis: 'gaji' });
  await expect(popUps(page)).toContainText('Gaji November sudah masuk', within20s);
});

test('the demo rings after 2 presses on its printed link, which works once', async ({ page, visit }) => {
  test.slow();
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-demo-'));
  const service = await startService({ DATA_DIR: dataDir }, ['server/main.js'], /only its fingerprint/);
  try {
    const link = /http\S+\/login\/demo#\S+/.exec(service.output())?.[0] ?? '';
    const effort = await countEffort(page);
    const tones = await countTones(page);
    await page.goto(link);
    await page.getByRole('button', { name: 'Masuk' }).click();
    await page.getByRole('button', { name: 'Kirim salam ke saya' }).click();
    await expect(popUps(page)).toContainText('Ini salam pertama.', within20s);
    await expect.poll(tones, within20s).toBeGreaterThan(0);
    await expect(page.getByText('Pemilik Contoh sudah melihatnya')).toBeVisible(within20s);
    await expect(page.getByRole('button', { name: 'Kirim salam ke saya' })).toHaveCount(0);
    expect(await effort()).toEqual({ presses: 2, fields: 0 });

    const again = await visit();
    await again.goto(link);
    await again.getByRole('button', { name: 'Masuk' }).click();
    await expect(again.getByText('Tautan ini sudah dipakai atau sudah lewat 15 menit.')).toBeVisible();
    await expect(again.locator('[name=password]')).toBeVisible();
    await again.context().close();
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

// It starts a service, which takes a minute while another test builds the pages.
test.setTimeout(270_000);

test('the first company needs the code from the log, and afterwards the page returns 404', async ({ page }) => {
  await withFreshService({}, async (service) => {
    await expect.poll(() => service.output()).toMatch(/with the code \S+/);
    const code = /with the code (\S+)/.exec(service.output())?.[1] ?? '';
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect(service.output(), 'a configured database gets no demo data').not.toContain('karyawan1');
    await page.goto(service.url);
    await expect(page).toHaveURL(`${service.url}/setup`);
    await expect(page.locator('[name=code]')).toBeFocused();
    await page.locator('[name=timeZone]').selectOption('Asia/Makassar');
    await fillSetup(page);
    await page.locator('[name=code]').fill('2222-2222-2222');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Kode awal salah')).toBeVisible();
    await expect(page.locator('[name=code]')).toBeFocused();
    await page.locator('[name=code]').fill(code.toLowerCase().replaceAll('-', ' '));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${service.url}/owner`);
    await expect(page.locator('.frame-name')).toHaveText('Toko Contoh');
    expect((await page.goto(`${service.url}/setup`))?.status()).toBe(404);
  });
});
