import type { Page } from 'playwright/test';
import { listProblems, listSmallTargets, listViolations, looks } from '#e2e/support/browser/accessible.ts';
import { expect, test } from '#e2e/support/browser/browser.ts';
import { visitEveryPage } from '#e2e/support/browser/every-page.ts';
import { builtAddresses } from '#e2e/support/service/build.ts';

// The rules that depend on colours.
const ofColours = ['color-contrast', 'link-in-text-block'];

// A phone, a tablet, small laptops and a desktop.
const widths = [360, 900, 1024, 1100, 1280];

// Lists texts that a list cuts off, times that break into two lines, and what ends beyond the screen.
const listMisplaced = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const shown = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility());
    const isCut = (element: HTMLElement) =>
      element.clientWidth > 1 &&
      element.scrollWidth > element.clientWidth + 1 &&
      getComputedStyle(element).overflowX !== 'visible';
    const cut = shown('main :is(.list *, .divided *, time)')
      .filter((element) => !element.closest('.short-time-full, .list thead, [data-refused]'))
      .filter((element) => isCut(element) || (element.matches('time') && element.getClientRects().length > 1));
    // An ancestor that clips or scrolls keeps wide content from widening the page.
    const isClipped = (element: HTMLElement): boolean =>
      element.parentElement !== null &&
      (getComputedStyle(element.parentElement).overflowX !== 'visible' || isClipped(element.parentElement));
    const beyond = shown('main *')
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .filter((element) => !isClipped(element));
    return [
      ...cut.map(({ textContent }) => `“${textContent}” is cut`),
      // On a phone, tables may scroll sideways.
      ...(clientWidth > 360 ? beyond.slice(0, 3) : []).map((one) => `${one.tagName}.${one.className} ends beyond it`),
      ...(scrollWidth > clientWidth ? [`it is ${scrollWidth - clientWidth} px wider than the screen`] : []),
    ];
  });

async function showIn(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
}

// Each page has all rules in each language, at each width, in each theme; those of colours in both themes and widths.
for (const { locale, colorScheme, width } of looks)
  test(`axe finds nothing in both themes, and all fits, ${locale}, ${width} px`, async ({ company, signIn, visit }) => {
    test.setTimeout(900_000);
    const found: string[] = [];
    const visited: string[] = [];
    const viewport = { width, height: 800 };
    const open: typeof visit = async (options) => {
      const page = await visit(options);
      page.on('pageerror', ({ message }) => found.push(`${page.url()}: ${message}`));
      return page;
    };
    await visitEveryPage({ company, signIn, visit: open }, { locale, colorScheme, viewport }, async (page, path) => {
      visited.push(path, new URL(page.url()).pathname);
      const note = (where: string, problems: string[]) =>
        found.push(...problems.map((problem) => `${path}, ${where}: ${problem}`));
      note(`${colorScheme}, ${width} px`, await listProblems(page));
      const small = width === 360 && !path.startsWith('/docs') ? await listSmallTargets(page) : [];
      for (const { name, height } of small) note('a small target', [`${name}, ${height} px`]);
      const other = colorScheme === 'dark' ? 'light' : 'dark';
      await showIn(page, other);
      note(`${other}, ${width} px`, await listViolations(page, ofColours));
      await showIn(page, colorScheme);
      // Indonesian texts are the longer ones.
      for (const one of locale === 'id-ID' ? widths : [width]) {
        await page.setViewportSize({ ...viewport, width: one });
        note(`${one} px`, await listMisplaced(page));
      }
      await page.setViewportSize(viewport);
    });
    expect(found).toEqual([]);
    const isVisited = (route: string) => {
      const address = route
        .replace(/\/\[\[\.\.\.\w+\]\]/, '(/.+)?')
        .replace(/\[\.\.\.\w+\]/, '.+')
        .replace(/\[\w+\]/g, '[^/]+');
      return visited.some((path) => new RegExp(`^${address}$`).test(path));
    };
    // The two pages that only lead on to others.
    const others = ['/', '/portal'];
    const pages = builtAddresses.filter(({ kind, route }) => kind === 'page' && !others.includes(route));
    expect(pages.filter(({ route }) => !isVisited(route)).map(({ route }) => route)).toEqual([]);
  });
