import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { visitEveryPage } from '#e2e/support/browser/every-page.ts';
import { listMisfits } from '#e2e/support/browser/large-type.ts';

// The font size that a person chose in the settings of the browser: twice the usual one.
const fontSize = 32;

test.use({
  launchOptions: ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), `--blink-settings=defaultFontSize=${fontSize}`] }),
});

for (const locale of ['id-ID', 'en-GB'])
  test(`at a font size of 200 % every page fits, and nothing is cut or overlaps, ${locale}`, async ({
    company,
    signIn,
    visit,
  }) => {
    test.setTimeout(900_000);
    const misfits: string[] = [];
    const look = async (page: Page, path: string) => {
      for (const size of [
        { width: 360, height: 740 },
        { width: 1280, height: 800 },
      ]) {
        await page.setViewportSize(size);
        await expect(page.locator('html')).toHaveCSS('font-size', `${fontSize}px`);
        for (const misfit of await listMisfits(page)) misfits.push(`${path} at ${size.width} px: ${misfit}`);
      }
    };
    await visitEveryPage({ company, signIn, visit }, { locale }, look);
    expect(misfits).toEqual([]);
  });
