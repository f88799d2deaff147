import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import postgres from 'postgres';
import { giveToService } from '#db/service-role.ts';
import { password } from '#e2e/support/data/company.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';

/**
 * Starts a service on an empty database for one test. `admin` is a superuser's connection to it.
 */
export async function withFreshService(
  variables: Record<string, string>,
  use: (service: Service, database: { name: string; url: string; admin: postgres.Sql }) => Promise<void>,
): Promise<void> {
  const adminUrl = process.env.ADMIN_DATABASE_URL ?? '';
  const name = `setup_${randomUUID().replaceAll('-', '')}`;
  const admin = postgres(adminUrl, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const url = await giveToService(adminUrl.replace(/\/postgres$/, `/${name}`));
  const service = await startService(
    { DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1', ...variables },
    undefined,
    /with the code|running at/,
  );
  try {
    await use(service, { name, url, admin });
  } finally {
    await service.stop();
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  }
}

/**
 * Sets up a company through the page of a service with open sign-up. Its owner is signed in
 * afterwards.
 */
export async function setUpCompany(page: Page, url: string, companyName = 'PT Baru Contoh'): Promise<void> {
  await page.goto(`${url}/setup`);
  await page.locator('[name=companyName]').fill(companyName);
  await page.locator('[name=ownerName]').fill('Pemilik Uji');
  await page.locator('[name=username]').fill(`pemilik-${randomUUID()}`);
  await page.locator('[name=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/owner`);
}
