import type { Instrumentation } from 'next';

// Next also builds this file for a runtime that has no Node modules, so it imports them on demand.

/** Starts the jobs, and directs printed errors to the log. Next calls it once in each process that serves the pages, and not in a build. */
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: Next replaces this name by its value when it builds.
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { startJobs } = await import('#server/jobs/jobs.ts');
  startJobs();
  const [{ logConsole }, { isDevelopment }] = await Promise.all([
    import('#platform/log/log.ts'),
    import('#platform/config/build.ts'),
  ]);
  if (!isDevelopment()) logConsole();
}

/**
 * Writes an error of a page, a route or an action to the log, and tells the front; Next calls it. The
 * line has the route as a pattern, because an address may hold a token.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, request, { routePath, routeType }) => {
  const { logRepeats } = await import('#platform/log/log.ts');
  (await import('#server/front/health.ts')).notePageError(error, request.headers);
  const { digest } = error as { digest?: string };
  logRepeats(
    'error',
    { route: routePath, type: routeType, digest },
    { err: error, method: request.method },
    'a page failed',
  );
};
