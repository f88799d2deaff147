import type { Page } from 'playwright/test';
import { listViolations } from '#e2e/support/browser/accessible.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { visitEveryPage } from '#e2e/support/browser/every-page.ts';

// The rules that depend on colours.
const ofColours = ['color-contrast', 'link-in-text-block'];

const looks = [
  { width: 360, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light', only: ofColours },
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark', only: ofColours },
] as const;

// Lists texts that a list cuts off, and times that break into two lines.
const listCutTexts = (page: Page) =>
  page.locator('main :is(.list *, .divided *, .import-rows, time)').evaluateAll((elements) =>
    elements
      .filter(
        (element) => element.checkVisibility() && !element.closest('.short-time-full, .list thead, [data-refused]'),
      )
      .filter((element) => {
        const isCut =
          element.clientWidth > 1 &&
          element.scrollWidth > element.clientWidth + 1 &&
          getComputedStyle(element).overflowX !== 'visible';
        return isCut || (element.matches('time') && element.getClientRects().length > 1);
      })
      .map((element) => `“${element.textContent}” is cut`),
  );

for (const locale of ['id-ID', 'en-GB'])
  test(`axe finds nothing on any page, and no list cuts a text, in both themes and at both widths, ${locale}`, async ({
    company,
    signIn,
    visit,
  }) => {
    test.setTimeout(900_000);
    const found: string[] = [];
    await visitEveryPage({ company, signIn, visit }, { locale }, async (page, path) => {
      for (const { width, colorScheme, ...rest } of looks) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
        const violations = await listViolations(page, 'only' in rest ? rest.only : undefined);
        if (!('only' in rest)) violations.push(...(await listCutTexts(page)));
        found.push(...violations.map((violation) => `${path}, ${colorScheme}, ${width} px: ${violation}`));
      }
    });
    expect(found).toEqual([]);
  });
