import { disconnect } from '#db/client.ts';
import { benchSecret } from '#e2e/support/service/stage.ts';
import { applyStartSettings } from '#platform/config/settings.ts';

/** A key and an employee of its company. */
export type Caller = { key: string; userId: number };

/** How many companies to create, with how many employees (1 or more) and keys each. */
export type CallerCounts = { companies: number; employees: number; keys: number };

/** Makes the domain's functions in this process use a database. */
export async function enterDatabase(url: string): Promise<void> {
  await disconnect();
  applyStartSettings({ databaseUrl: url, authSecret: benchSecret, appUrl: 'http://127.0.0.1' });
}
