import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from 'playwright/test';
import { root } from '#e2e/support/service/service.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const rules = { 'document-title': { enabled: false }, 'label-content-name-mismatch': { enabled: true } };

/** Lists what axe finds on a page: with all rules, or with these. */
export async function listViolations(page: Page, only?: readonly string[]): Promise<string[]> {
  // The scripts open the bar for the chosen rows. It fades in, and covers a part of a row until the page scrolls.
  const isChoosing = page.url().includes('choose=');
  if (isChoosing) await page.locator('.bulk-bar').waitFor();
  // Content that still fades in has too little contrast. Loaders, and animations in closed details, never end.
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.checkVisibility())
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(ending.map(({ finished }) => finished)).then(() => null);
  });
  // What is open covers a part of a row, too.
  const isCovered = isChoosing || (await page.locator('[role=menu], [role=dialog]').count()) > 0;
  // The second look at a page needs no second copy of axe, which is half a megabyte.
  const isLoaded = await page.evaluate(() => 'axe' in window);
  const { violations } = await new AxeBuilder({ page, ...(isLoaded ? { axeSource: 'void 0' } : {}) })
    // The default mode opens another page for its last step; only pages with frames need it.
    .setLegacyMode()
    .options({
      resultTypes: ['violations'],
      ...(only
        ? { runOnly: { type: 'rule', values: [...only] } }
        : { runOnly: { type: 'tag', values: tags }, rules: { ...rules, 'target-size': { enabled: !isCovered } } }),
    })
    .analyze();
  // axe takes the skip link for content while a dialog hides its target.
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ target }) => id !== 'region' || String(target) !== '.skip-link')
      .map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
}

/** Lists what is wrong with a page: findings of axe, width, missing styles, and texts such as "undefined". */
export async function listProblems(page: Page): Promise<string[]> {
  // After a navigation by script, the title follows the content a moment later.
  await expect(page).toHaveTitle(/\S/);
  const violations = await listViolations(page);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const isDocs = new URL(page.url()).pathname.startsWith('/docs');
  // The documentation may contain words such as “null”.
  const broken = isDocs ? [] : listBroken(await page.content());
  return [
    ...violations,
    ...(wider === 0 ? [] : [`it is ${wider} px wider than the screen`]),
    ...(await listUnstyled(page)).map((name) => `the class ${name} has no style`),
    ...broken.map((text) => `the text “${text}”`),
  ];
}

export async function check(page: Page, where: string): Promise<void> {
  expect([where, await listProblems(page)]).toEqual([where, []]);
}

// Mantine's classes on a page that lacks their style sheet: neither `app/theme/mantine.css` nor a part has it.
async function listUnstyled(page: Page): Promise<string[]> {
  const mantineStyles = readFileSync(join(root, 'node_modules', '@mantine', 'core', 'styles.css'), 'utf8');
  const { used, loaded } = await page.evaluate(() => ({
    used: [...new Set([...document.querySelectorAll('[class]')].flatMap((element) => [...element.classList]))],
    loaded: [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join(' '),
  }));
  const isMissing = (name: string) => mantineStyles.includes(`.${name}`) && !loaded.includes(`.${name}`);
  return used.filter((name) => /^m_[0-9a-f]+$/.test(name) && isMissing(name));
}

/** Lists the targets that are too small for fingers, less than 44 px high, except links within a sentence. */
export function listSmallTargets(page: Page): Promise<{ name: string; height: number }[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a[href], [role=slider], input:not([type=hidden]), select')]
      .filter(
        (element) =>
          element.checkVisibility({ checkOpacity: true, visibilityProperty: true }) &&
          !element.closest('.skip-link, p'),
      )
      .map((element) => {
        // The link of a row covers the row, and a press beside the pills of a field is one on its input.
        const row = element.matches('.row-link') ? element.closest('tr, li') : null;
        const field = element.matches('input') ? element.closest('.mantine-MultiSelect-input') : null;
        const pressed =
          row ?? field ?? element.closest('label') ?? (element as HTMLInputElement).labels?.[0] ?? element;
        const boxes = [element, pressed].map((one) => one.getBoundingClientRect());
        const name = element.ariaLabel ?? (element.textContent || element.getAttribute('name') || element.className);
        return { name, height: Math.max(...boxes.map(({ height }) => Math.round(height))) };
      })
      .filter(({ height }) => height > 1 && height < 44),
  );
}

/** Every language, width and colour scheme once. Indonesian texts are the longer ones, so they go to the phone. */
export const looks = [
  { locale: 'id-ID', colorScheme: 'dark', width: 360 },
  { locale: 'en-GB', colorScheme: 'light', width: 1280 },
] as const;

const named = /\s(?:title|alt|placeholder|value|aria-[a-z]*(?:label|text|description)[a-z]*)="([^"]*)"/g;

// The texts that a person reads or hears, between tags and in names and titles, with a value that is not there.
function listBroken(html: string): string[] {
  const shown = html.replace(/<(script|style)\b.*?<\/\1>|<!--.*?-->/gs, '');
  const texts = [...shown.split(/<[^>]*>/), ...[...shown.matchAll(named)].map(([, name = '']) => name)];
  const broken = /(?<![\p{L}\d_])(?:undefined|null|NaN|Invalid Date)(?![\p{L}\d_])|\[object /u;
  return texts.map((text) => text.trim()).filter((text) => broken.test(text));
}
