import { minConnections, supervisorConnections } from '#platform/config/database.ts';
import { isWorker } from '#platform/config/processes.ts';
import { env } from '#platform/config/settings.ts';

const maxPoolConnections = 16;
// LISTEN and an export.
const besidePools = 2;

/** Whether this process only supervises the workers of PROCESSES above 1. */
export const isSupervisor = (): boolean => env().PROCESSES > 1 && !isWorker();

// Three machines with up to two processes each fit into PostgreSQL's default of 100, of which 97
// are free for ordinary roles. One machine alone may use all of them but ten.
const defaultConnections = 30;
const connectionsPerProcess = 9;
const maxDefaultConnections = 87;

/**
 * How many database connections all processes of this service may hold together, also while they
 * are replaced: DATABASE_CONNECTIONS. The default is 30; with more than two processes it is 9 more
 * for each, at most 87.
 */
export function connectionBudget(): number {
  const { PROCESSES, DATABASE_CONNECTIONS } = env();
  if (DATABASE_CONNECTIONS !== undefined) return DATABASE_CONNECTIONS;
  const grown = defaultConnections + connectionsPerProcess * Math.max(0, PROCESSES - 2);
  return Math.min(maxDefaultConnections, grown);
}

/** The fewest connections with which the processes of this service can work. */
export const minConnectionBudget = (): number => minConnections(env().PROCESSES);

/**
 * The connections of this process's three pools, 16 together at most: `main` for pages and lists,
 * `calls` for the statements of the public interface that wait for no lock, `sends` for sends that
 * may wait. They are this process's share of `connectionBudget`, less one for LISTEN and those of
 * exports (`maxExports`). The supervisor of several processes uses one pool only, the main one.
 */
export function poolSizes(): { main: number; calls: number; sends: number } {
  if (isSupervisor()) return { main: 2, calls: 1, sends: 1 };
  const share = isWorker()
    ? Math.floor((connectionBudget() - supervisorConnections) / (env().PROCESSES + 1)) - besidePools
    : connectionBudget() - 1 - maxExports();
  const all = Math.max(3, Math.min(maxPoolConnections, share));
  const calls = Math.min(4, Math.max(1, Math.floor(all / 3)));
  const sends = Math.floor((all - calls) / 2);
  return { main: all - calls - sends, calls, sends };
}

/** How many exports this process may make at once; each holds a connection outside the pools. */
export const maxExports = (): number => (isWorker() || connectionBudget() < defaultConnections ? 1 : 2);
