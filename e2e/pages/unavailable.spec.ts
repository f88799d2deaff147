import { startOwnDatabase } from '#e2e/faults/own-database.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { startService } from '#e2e/support/service/service.ts';

const sentences = {
  'id-ID': ['Terjadi kesalahan', 'Halaman ini gagal dimuat. Data Anda tidak berubah.'],
  'en-GB': ['Something went wrong', 'This page could not be loaded. Your data has not changed.'],
};

test('while the database is away, a page says so in the reader’s language, and its retry works (X1)', async ({
  browser,
}) => {
  const database = await startOwnDatabase();
  const service = await startService({ DATABASE_URL: database.url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1' });
  try {
    await database.stop();
    for (const [locale, [title = '', text = '']] of Object.entries(sentences)) {
      const context = await browser.newContext({ locale });
      const page = await context.newPage();
      expect((await page.goto(`${service.url}/setup`))?.status()).toBe(503);
      const alert = page.getByRole('alert').filter({ hasText: title });
      await expect(alert).toContainText(text);
      if (locale === 'en-GB') {
        await database.start();
        await expect.poll(async () => (await fetch(`${service.url}/health/ready`)).status).toBe(200);
        await alert.getByRole('button').click();
        await expect(page.locator('[name=code]')).toBeVisible();
      }
      await context.close();
    }
  } finally {
    await service.stop();
    await database.remove();
  }
});
