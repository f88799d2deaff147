import { expect, test } from '#e2e/support/browser/browser.ts';
import { listFaultsOfEveryPage } from '#e2e/support/browser/opened-parts.ts';

// The narrowest screen with the largest type; the release has the other combinations.
test('at 360 px and 200 % each menu, dialog and fold fits, and passes axe', async ({ company, signIn, visit }) => {
  test.setTimeout(900_000);
  const look = { locale: 'id-ID', width: 360, fontSize: 32 };
  expect(await listFaultsOfEveryPage({ company, signIn, visit }, look)).toEqual([]);
});
