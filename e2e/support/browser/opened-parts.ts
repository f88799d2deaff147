import { expect, type Page } from 'playwright/test';
import { listProblems, listSmallTargets } from '#e2e/support/browser/accessible.ts';
import { type Visits, visitEveryPage } from '#e2e/support/browser/every-page.ts';
import { listMisfits } from '#e2e/support/browser/large-type.ts';

const part = '[role=dialog], [role=menu]';
const openLimitMs = 800;
const lastLookMs = 200;
const timeout = 10_000;

/**
 * Marks the button or fold of the page that has this name; without a name, the next one that is not among the `met`
 * ones. Rows of a list count once. Returns the name, or null if there is none.
 */
const mark = (page: Page, wanted: { met?: string[]; name?: string }) =>
  page.evaluate(({ met = [], name }) => {
    document.querySelector('[data-next]')?.removeAttribute('data-next');
    const area = location.pathname.replace(/\d+|[\w-]{20,}/g, '#');
    const nameOf = (one: HTMLElement) => {
      if (one.closest('header')) return one.ariaLabel ?? '';
      const icons = [...one.querySelectorAll('svg')].map((icon) => icon.classList.value);
      const words = one.closest('tr, li') ? [one.classList[0], ...icons] : [one.ariaLabel ?? one.textContent];
      return `${area} ${words.join(' ').replace(/\d+/g, '#')}`;
    };
    const next = [
      ...document.querySelectorAll<HTMLElement>(':is(main, header) :is(button:enabled:not([type=submit]), summary)'),
    ].find(
      (one) =>
        one.checkVisibility({ visibilityProperty: true }) &&
        (name === undefined ? !met.includes(nameOf(one)) : name === nameOf(one)),
    );
    if (!next) return null;
    next.dataset.next = '';
    return nameOf(next);
  }, wanted);

// What is wrong with a page and with the part that a press opened on it.
async function listFaults(page: Page): Promise<string[]> {
  const hasFocus = (part: string) => {
    const opened = [...document.querySelectorAll<HTMLElement>(part)].filter((one) => one.checkVisibility()).at(-1);
    const { activeElement } = document;
    return !opened || opened.contains(activeElement) || activeElement?.ariaExpanded === 'true';
  };
  await page.waitForFunction(hasFocus, part, { timeout }).catch(() => null);
  const isFocused = await page.evaluate(hasFocus, part);
  const faults = await page.evaluate((part) => {
    const opened = [...document.querySelectorAll<HTMLElement>(part)].filter((one) => one.checkVisibility()).at(-1);
    const { left = 0, right = 0 } = opened?.getBoundingClientRect() ?? {};
    return left < 0 || right > innerWidth ? [`it lies between ${left} and ${right}`] : [];
  }, part);
  if (!isFocused)
    faults.push(`the focus is on ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 80))}`);
  const small = page.viewportSize()?.width === 360 ? await listSmallTargets(page) : [];
  return [
    ...faults,
    ...(await listProblems(page)),
    ...(await listMisfits(page)),
    ...small.map(({ name, height }) => `the target “${name}” is ${height} px high`),
  ];
}

// Waits for what a press opens, and unfolds what is in it. Returns its role, or null after any other press.
async function waitForPart(page: Page): Promise<string | null> {
  const look = (limitMs: number) =>
    page
      .waitForFunction(
        (part) => {
          const opened = [...document.querySelectorAll<HTMLElement>(part)]
            .filter((one) => one.checkVisibility())
            .at(-1);
          for (const fold of opened?.querySelectorAll('details') ?? []) fold.open = true;
          if (opened) return getComputedStyle(opened).opacity === '1' && opened.role;
          return document.querySelector('[open] > [data-next], [data-next][aria-expanded=true]') && 'fold';
        },
        part,
        { timeout: limitMs },
      )
      .then((handle) => handle.jsonValue() as Promise<string>)
      .catch(() => null);
  // On a busy machine it opens later: look once more when the page rests.
  const role = await look(openLimitMs);
  if (role !== null) return role;
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve()))).catch(() => null);
  return look(lastLookMs);
}

// Closes what is open. Returns whether the focus stays in reach.
async function close(page: Page): Promise<boolean> {
  await page.keyboard.press('Escape');
  const isClosed = (part: string) => [...document.querySelectorAll(part)].every((one) => !one.checkVisibility());
  await page.waitForFunction(isClosed, part, { timeout });
  return page
    .waitForFunction(() => document.activeElement !== document.body, null, { timeout })
    .then(() => true)
    .catch(() => false);
}

// Presses each button of the page that is not among the `met` ones, and each entry of a menu. Lists their faults.
async function listFaultsOfParts(page: Page, met: Set<string>): Promise<string[]> {
  const address = page.url();
  const found: string[] = [];
  const check = async (name: string) => {
    found.push(...(await listFaults(page)).map((fault) => `${name}: ${fault}`));
    if (!(await close(page))) found.push(`${name}: the focus is lost when it closes`);
  };
  const press = async (name: string) => {
    if (page.url() !== address) await page.goto(address);
    if ((await mark(page, { name })) === null) return null;
    // A list that is drawn anew loses the mark. Only the focus is tried again: a second Enter would close what is open.
    await expect(async () => {
      await mark(page, { name });
      await page.locator('[data-next]').focus({ timeout: 1000 });
    }).toPass({ timeout });
    await page.keyboard.press('Enter');
    return waitForPart(page);
  };
  const pressEntries = async (name: string) => {
    for (let index = 0; (await press(name)) === 'menu'; index++) {
      const entry = page.locator('[role=menu] button').nth(index);
      if ((await entry.count()) === 0) return close(page);
      const text = await entry.textContent();
      await entry.press('Enter', { timeout });
      await page.getByRole('menu').waitFor({ state: 'hidden', timeout });
      if ((await waitForPart(page)) === 'dialog') await check(`${name}, ${text}`);
    }
  };
  for (;;) {
    const name = await mark(page, { met: [...met] });
    if (name === null) return found;
    met.add(name);
    try {
      const role = await press(name);
      if (role === 'fold') found.push(...(await listFaults(page)).map((fault) => `${name}: ${fault}`));
      if (role === 'fold') await page.locator('[data-next]').press('Enter', { timeout });
      else if (role !== null) await check(name);
      if (role === 'menu') await pressEntries(name);
    } catch (error) {
      found.push(`${name}: ${error}`);
      await page.goto(address);
    }
  }
}

/**
 * Opens every page of a filled company, except the documentation, and all that its buttons open. Lists what does not fit,
 * what axe finds, and where the focus is lost. `fontSize` (px) is that of the browser's settings; 16 is usual.
 */
export async function listFaultsOfEveryPage(
  visits: Visits,
  { locale, width, fontSize }: { locale: string; width: number; fontSize: number },
): Promise<string[]> {
  const found: string[] = [];
  const met = new Set<string>();
  const visit: Visits['visit'] = async (options) => {
    const page = await visits.visit(options);
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: fontSize } });
    return page;
  };
  const viewport = { width, height: width === 360 ? 740 : 800 };
  await visitEveryPage({ ...visits, visit }, { locale, viewport }, async (page, path) => {
    await expect(page.locator('html')).toHaveCSS('font-size', `${fontSize}px`);
    const faults = await listMisfits(page);
    if (!/^\/(?:docs|embed)/.test(path)) faults.push(...(await listFaultsOfParts(page, met)));
    found.push(...faults.map((fault) => `${path}: ${fault}`));
  });
  return found;
}
