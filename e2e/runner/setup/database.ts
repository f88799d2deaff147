import { startTestDatabase } from '#e2e/runner/environment.ts';

/**
 * Vitest's global setup: starts a database when the run was not started by `npm test`, which has
 * one already. Vitest gives this process's environment to its workers. Returns what stops the
 * database.
 */
export default async function setUpDatabase(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.DATABASE_URL) return undefined;
  const { variables, stop } = await startTestDatabase();
  Object.assign(process.env, variables);
  return stop;
}
