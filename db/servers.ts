import { AsyncLocalStorage } from 'node:async_hooks';
import { databaseUrls } from '#platform/config/database.ts';
import { processWide } from '#platform/config/process-wide.ts';

const companiesPerServer = 100_000_000;

const current = processWide('server', () => new AsyncLocalStorage<number>());

/** How many PostgreSQL servers hold companies. They are numbered from 0. */
export const countServers = (): number => databaseUrls().length;

/** The server of a company: the range of its id names it. */
export const serverOf = (companyId: number): number =>
  countServers() === 1 ? 0 : Math.floor((companyId - 1) / companiesPerServer);

/** The ids that companies of a server have, the largest included. */
export const idsOf = (server: number): { first: number; last: number } => {
  return { first: server * companiesPerServer + 1, last: (server + 1) * companiesPerServer };
};

/** The server that `onServer` named around this call. */
export const namedServer = (): number | undefined => current.getStore();

/** Runs `work`, whose statements without a company go to this server. */
export const onServer = <Result>(server: number, work: () => Result): Result =>
  countServers() === 1 ? work() : current.run(server, work);

/**
 * Runs `work` once for each server, at the same time, and returns what each returned. One that
 * fails does not stop the others; then throws its error.
 */
export async function onEachServer<Result>(work: (server: number) => Promise<Result>): Promise<Result[]> {
  const runs = Array.from({ length: countServers() }, (_, server) => onServer(server, () => work(server)));
  await Promise.allSettled(runs);
  return Promise.all(runs);
}

const isNotHere = new Error('not on this server');

/**
 * Looks on each server for what names no company: a username, a key, a token. Returns the first that
 * is found, or null. A server that is down matters only when no other one has it.
 */
export async function findOnServers<Result>(
  find: (server: number) => Promise<Result | null | undefined>,
): Promise<Result | null> {
  const ask = async (server: number) => (await find(server)) ?? Promise.reject(isNotHere);
  const asked = Array.from({ length: countServers() }, (_, server) => onServer(server, () => ask(server)));
  try {
    return await Promise.any(asked);
  } catch (error) {
    const failed = (error as AggregateError).errors.find((one) => one !== isNotHere);
    if (failed) throw failed;
    return null;
  }
}

/** Makes one of something for each server, when it is first needed. */
export function perServer<Value>(make: (server: number) => Value): (server: number) => Value {
  const made = new Map<number, Value>();
  return (server) => {
    const value = made.get(server) ?? make(server);
    made.set(server, value);
    return value;
  };
}
