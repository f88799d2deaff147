import { env } from '#platform/config/settings.ts';

/** The fewest connections of a process: the three pools with one each, LISTEN and an export. */
export const minConnections = 5;
// LISTEN and an export.
const besidePools = 2;

// Six processes fit into PostgreSQL's default of 100, of which 97 are free for ordinary roles.
const defaultConnections = 16;

export const connectionBudget = (): number => env().DATABASE_CONNECTIONS ?? defaultConnections;

/** The connections of the three pools: `main` for pages, `calls` for the interface, `sends` for sends that may wait. */
export function poolSizes(): { main: number; calls: number; sends: number } {
  const all = Math.min(16, connectionBudget() - besidePools);
  const calls = Math.min(4, Math.max(1, Math.floor(all / 3)));
  const sends = Math.floor((all - calls) / 2);
  return { main: all - calls - sends, calls, sends };
}
