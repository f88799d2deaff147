import { expect } from 'vitest';
import { inEachBrowser } from '#e2e/browsers/portal.ts';

const day = `document.querySelector('[name=from]').value`;

inEachBrowser((test) => {
  test('a field for a day shows it in the Indonesian order, whatever the browser’s language', async ({
    tab,
    base,
    company,
    signIn,
  }) => {
    await signIn(company.username);
    await tab.open(`${base}/owner/audit?from=2026-01-05`);
    expect(await tab.evaluate(day)).toBe('05/01/2026');
  });
});
