import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The page request that the running code belongs to: its client's IP address, method and shortened
 * path. `isCut` becomes true when its body will never be complete.
 */
export type PageContext = { address: string; method: string; path: string; isCut: boolean };

// In the global object, because one process loads this file twice: once for the front, once in the
// bundle of the pages.
const processGlobals = globalThis as { [key: symbol]: AsyncLocalStorage<PageContext> | undefined };
const symbol = Symbol.for('staff-notification-api.page-context');
processGlobals[symbol] ??= new AsyncLocalStorage<PageContext>();

/** Storage of the context of each page request. */
export const pageContext: AsyncLocalStorage<PageContext> = processGlobals[symbol];
