import { type ConnectionCapacity, countAllowed, findCapacity } from '#db/database-facts.ts';
import { connectionBudget, minConnections } from '#platform/config/connection-budget.ts';
import { databaseUrl } from '#platform/config/database.ts';
import { env } from '#platform/config/settings.ts';

// Left for the operator's commands.
const leftFree = 3;

/**
 * Decides how many connections this process may hold (`chooseBudget`). Prints a sentence when the
 * processes together could open more than the database allows.
 */
export async function fitConnections(): Promise<number> {
  const capacity = await findCapacity(databaseUrl());
  if (!capacity) return connectionBudget();
  const budget = chooseBudget(capacity);
  const problem = describeConnections(capacity, budget, capacity.otherProcesses + 1);
  if (problem) console.log(problem.join(' '));
  return budget;
}

/** DATABASE_CONNECTIONS; without it the default, but at most what the database allows. */
export function chooseBudget(capacity: ConnectionCapacity): number {
  if (env().DATABASE_CONNECTIONS !== undefined) return connectionBudget();
  // Ignores the connections of others: they change, and this number stays until the next start.
  const lowestLimit = Math.min(...capacity.limits.map(({ allowed }) => allowed));
  return Math.min(connectionBudget(), Math.max(lowestLimit - leftFree, minConnections));
}

/**
 * Null when this number of processes cannot open more connections than the database allows.
 * Otherwise the problem and what to do, as two sentences. It assumes that each may hold `budget`.
 */
export function describeConnections(
  capacity: ConnectionCapacity,
  budget: number,
  processes: number,
): [string, string] | null {
  const allowed = Math.max(0, countAllowed(capacity));
  if (budget * processes <= allowed) return null;
  const who = processes === 1 ? 'This process' : `The ${processes} processes of the service`;
  const problem = `${who} may open ${budget * processes} database connections, and the database has ${allowed} for them.`;
  const limit = capacity.limits.find((entry) => entry.allowed - entry.usedByOthers <= allowed)?.of ?? 'server';
  const share = Math.floor(allowed / processes);
  if (share < minConnections) return [problem, `Raise ${names[limit]}, or use fewer processes.`];
  const where = processes === 1 ? '' : ' for each';
  return [problem, `Set DATABASE_CONNECTIONS=${share}${where}, or raise ${names[limit]}.`];
}

const names = {
  server: 'max_connections of the server',
  database: 'the connection limit of the database',
  role: 'the connection limit of the role',
};
