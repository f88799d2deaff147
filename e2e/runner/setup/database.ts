import { startTestDatabase } from '#e2e/runner/environment.ts';

/** Vitest's global setup: starts a database, unless `npm test` has done so. Workers inherit this environment. */
export default async function setUpDatabase(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.DATABASE_URL) return undefined;
  const { variables, stop } = await startTestDatabase();
  Object.assign(process.env, variables);
  return stop;
}
