import { countAllowed, findCapacity } from '#db/capacity.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { describeUnsafe, findUnsafeSettings } from '#db/durability.ts';
import { type Check, type Finding, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';
import type { Settings } from '#server/env.ts';
import { chooseBudget, describeConnections } from '#server/runtime/connections.ts';

/** Whether all machines together fit into the connections that the database allows. */
export const connectionsCheck: Check = {
  name: 'database-connections',
  run: async ({ settings, database }) => {
    const name = 'database-connections';
    if (!settings || !database) return [skipped(name, 'No database is known.')];
    return withDatabase(name, async () => {
      const capacity = await findCapacity(database.url);
      if (!capacity) return [skipped(name, 'DATABASE_URL leads to a pooler, which has limits of its own.')];
      const budget = chooseBudget(capacity);
      const problem = describeConnections(capacity, budget);
      if (problem) return [warning(name, ...problem)];
      const sentence = `This machine may open ${budget} connections, and the database has ${countAllowed(capacity)} for all machines.`;
      return [ok(name, sentence)];
    });
  },
};

/** Whether the database is durable, and who says so. */
export const durabilityCheck: Check = {
  name: 'database-durability',
  run: async ({ settings, database }) => {
    const name = 'database-durability';
    if (!settings || !database) return [skipped(name, 'No database is known.')];
    return withDatabase(name, () => checkDurability(name, settings, database.url));
  },
};

async function checkDurability(name: string, settings: Settings, url: string): Promise<Finding[]> {
  const unsafe = await findUnsafeSettings(url, settings.DATABASE_DURABILITY);
  const isOverridden = settings.DATABASE_DURABILITY === 'provider';
  const refused = unsafe.filter(({ isTrusted }) => !isTrusted);
  if (refused.length > 0)
    return refused.map((one) => {
      const { problem, cure } = describeUnsafe(one);
      return failing(name, `${capitalize(problem)}.`, capitalize(cure));
    });
  if (unsafe.length > 0) {
    const list = unsafe.map((one) => `${one.name} = ${one.setting}`).join(', ');
    return [ok(name, `The database runs with ${list}; DATABASE_DURABILITY=provider trusts the provider's storage.`)];
  }
  if (!isOverridden) return [ok(name, 'fsync, full_page_writes and synchronous_commit are on.')];
  return [
    warning(
      name,
      'DATABASE_DURABILITY=provider is set, but the database needs no trust: fsync and full_page_writes are on.',
      'Remove DATABASE_DURABILITY, so that the service notices if somebody switches them off.',
    ),
  ];
}

const capitalize = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

// The check of the database itself says that it is out of reach.
async function withDatabase(name: string, run: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await run();
  } catch (error) {
    if (isDatabaseUnavailable(error) || (error instanceof Error && error.name === 'PostgresError'))
      return [skipped(name, 'The database is out of reach.')];
    throw error;
  }
}
