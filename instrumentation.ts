import type { Instrumentation } from 'next';

/**
 * Writes an error of a page, a route or an action to the log; Next calls it. The line has the route as
 * a pattern, because an address may hold a token.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, { method }, { routePath, routeType }) => {
  // Next also builds this file for a runtime that has no Node modules.
  const { logRepeats } = await import('#platform/log/log.ts');
  const { digest } = error as { digest?: string };
  logRepeats('error', { route: routePath, type: routeType, digest }, { err: error, method }, 'a page failed');
};
