import { expect, test } from '#e2e/support/browser/browser.ts';
import { listFaultsOfEveryPage } from '#e2e/support/browser/opened-parts.ts';

const looks = ['id-ID', 'en-GB'].flatMap((locale) =>
  [360, 1280].flatMap((width) => [16, 32].map((fontSize) => ({ locale, width, fontSize }))),
);

for (const { locale, width, fontSize } of looks)
  test(`each menu, dialog and fold fits and passes axe: ${locale}, ${width} px, font ${fontSize} px`, async ({
    company,
    signIn,
    visit,
  }) => {
    test.setTimeout(900_000);
    expect(await listFaultsOfEveryPage({ company, signIn, visit }, { locale, width, fontSize })).toEqual([]);
  });
