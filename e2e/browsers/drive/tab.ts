import { setTimeout } from 'node:timers/promises';
import type { Desktop } from '#e2e/browsers/drive/desktop.ts';

/** A page of a real browser, by CSS selectors or XPaths. Only presses and keys count as user activation. */
export type Tab = {
  /** Opens an address, and waits until it has loaded and its buttons answer. */
  open: (url: string) => Promise<void>;
  reload: () => Promise<void>;
  /** Evaluates an expression whose value is JSON, in the page, without a gesture. */
  evaluate: <Value>(expression: string) => Promise<Value>;
  press: (locator: string) => Promise<void>;
  type: (locator: string, text: string) => Promise<void>;
  hide: () => Promise<void>;
  show: () => Promise<void>;
  /** The page of the first frame in the shadow of an element. It cannot be hidden or opened by itself. */
  frame: (host: string) => Promise<Tab>;
};

/** A browser with cookies and storage of its own, as of one person. */
export type Profile = { newTab: () => Promise<Tab>; openedTab: () => Promise<Tab>; close: () => Promise<void> };

/** A running browser of one kind on a desktop of its own. */
export type Driven = { desktop: Desktop; newProfile: () => Promise<Profile>; stop: () => Promise<void> };

const asList = (locator: string) => {
  const text = JSON.stringify(locator);
  if (!locator.startsWith('/')) return `[...document.querySelectorAll(${text})]`;
  return `((found) => Array.from({ length: found.snapshotLength }, (_, at) => found.snapshotItem(at)))(document.evaluate(${text}, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE))`;
};

/** The expression of the first element that a locator finds and that takes room on the page. */
export const firstOf = (locator: string): string => `${asList(locator)}.find((one) => one.getClientRects().length > 0)`;

export const textsOf = (tab: Tab, locator: string): Promise<string[]> =>
  tab.evaluate(`${asList(locator)}.filter((it) => it.getClientRects().length > 0).map((it) => it.innerText.trim())`);

export const textOf = async (tab: Tab, locator: string): Promise<string | null> =>
  (await textsOf(tab, locator))[0] ?? null;

export const attributeOf = (tab: Tab, locator: string, name: string): Promise<string | null> =>
  tab.evaluate(`${firstOf(locator)}?.getAttribute(${JSON.stringify(name)}) ?? null`);

export const pathOf = (tab: Tab): Promise<string> => tab.evaluate('location.pathname + location.search');

const isReady = `document.documentElement.dataset.ready !== undefined`;

const maxWaitMs = 30_000;

/** Waits until the buttons of a page answer, at most 30 s. A navigation may interrupt an evaluation. */
export async function waitUntilReady(evaluate: Tab['evaluate']): Promise<void> {
  const until = performance.now() + maxWaitMs;
  while (!(await evaluate<boolean>(isReady).catch(() => false))) {
    if (performance.now() > until) {
      const shown = await evaluate('[location.href, document.readyState, document.body.innerText]').catch(String);
      throw new Error(`the page did not become ready within 30 s: ${JSON.stringify(shown)}`);
    }
    await setTimeout(20);
  }
}
