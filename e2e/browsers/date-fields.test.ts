import { expect } from 'vitest';
import { inEachBrowser } from '#e2e/browsers/portal.ts';

// What a person sees of the field: whether its own text is drawn, and the hint over it.
const look = `(() => {
  const field = document.querySelector('[name=from]');
  const hint = document.querySelector('.date-hint');
  const isShown = hint !== null && getComputedStyle(hint).visibility === 'visible';
  return [getComputedStyle(field).color === 'rgba(0, 0, 0, 0)', isShown ? hint.innerText : null];
})()`;

inEachBrowser((test) => {
  test('an empty field for a day says that all days count, and a day once there is one', async ({
    tab,
    base,
    company,
    signIn,
  }) => {
    await signIn(company.username);
    await tab.open(`${base}/owner/audit`);
    expect(await tab.evaluate(look)).toEqual([true, expect.stringMatching(/^(Semua|All)$/)]);
    await tab.press('[name=from]');
    expect(await tab.evaluate(look), 'the browser’s own field while it has the focus').toEqual([false, null]);
    await tab.open(`${base}/owner/audit?from=2026-01-05`);
    expect((await tab.evaluate<[boolean, string]>(look))[0]).toBe(false);
  });
});
