import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { expect, test } from '#e2e/fixtures/browser.ts';
import { password } from '#e2e/fixtures/company.ts';
import { type Service, startService } from '#e2e/fixtures/service.ts';

async function fill(page: import('playwright/test').Page, username: string): Promise<void> {
  await page.locator('[name=companyName]').fill('PT Baru Contoh');
  await page.locator('[name=timeZone]').selectOption('Asia/Makassar');
  await page.locator('[name=ownerName]').fill('Pemilik Baru');
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=password]').fill(password);
}

async function withFreshService(
  variables: Record<string, string>,
  use: (service: Service) => Promise<void>,
): Promise<void> {
  const adminUrl = process.env.ADMIN_DATABASE_URL ?? '';
  const name = `setup_${randomUUID().replaceAll('-', '')}`;
  const admin = postgres(adminUrl, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const url = adminUrl.replace(/\/postgres$/, `/${name}`);
  const service = await startService(
    { DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1', ...variables },
    undefined,
    /with the code|running at/,
  );
  try {
    await use(service);
  } finally {
    await service.stop();
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  }
}

test('the first company is set up with the code of the log; afterwards the page is 404', async ({ page }) => {
  await withFreshService({}, async (service) => {
    await expect.poll(() => service.output()).toMatch(/with the code \S+/);
    const code = /with the code (\S+)/.exec(service.output())?.[1] ?? '';
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    await page.goto(service.url);
    await expect(page).toHaveURL(`${service.url}/setup`);
    await fill(page, 'pemilik-baru');
    await page.locator('[name=code]').fill('2222-2222-2222');
    await page.getByRole('button', { name: 'Buat perusahaan' }).click();
    await expect(page.getByText('Kode penyiapan salah')).toBeVisible();
    await page.locator('[name=code]').fill(code.toLowerCase().replaceAll('-', ' '));
    await page.getByRole('button', { name: 'Buat perusahaan' }).click();
    await expect(page).toHaveURL(`${service.url}/owner`);
    await expect(page.getByText('PT Baru Contoh')).toBeVisible();
    expect((await page.goto(`${service.url}/setup`))?.status()).toBe(404);
  });
});

test('nothing is seeded into a database that was given', async ({ page }) => {
  await withFreshService({}, async (service) => {
    await page.goto(`${service.url}/login`);
    expect(service.output()).not.toContain('karyawan1');
    const response = await fetch(`${service.url}/api/v1/notif.php?aksi=ping`);
    expect(response.status).toBe(401);
  });
});

test('with SIGN_UP=open anyone registers a further company at /setup without a code', async ({ page, company }) => {
  await page.goto('/setup');
  await expect(page.locator('[name=code]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Buat perusahaan' }).click();
  await expect(page.getByText('Wajib diisi')).toHaveCount(4);
  await fill(page, company.username);
  await page.getByRole('button', { name: 'Buat perusahaan' }).click();
  await expect(page.getByText('Nama pengguna ini sudah dipakai')).toBeVisible();
  await page.locator('[name=username]').fill(`baru-${randomUUID()}`);
  await page.getByRole('button', { name: 'Buat perusahaan' }).click();
  await expect(page).toHaveURL('/owner');
  await page.goto('/owner/settings');
  await expect(page.getByLabel('Zona waktu')).toHaveValue('Asia/Makassar');
});
