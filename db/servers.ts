import { AsyncLocalStorage } from 'node:async_hooks';
import { databaseUrls } from '#platform/config/database.ts';
import { processWide } from '#platform/config/process-wide.ts';

const companiesPerServer = 100_000_000;

const current = processWide('server', () => new AsyncLocalStorage<number>());

/** How many PostgreSQL servers hold companies. They are numbered from 0. */
export const countServers = (): number => databaseUrls().length;

// Companies that have moved or move, and when this process last read them from
// each server (`performance.now()`). Without `db/places.ts` nothing is read.
type Places = { ofCompanies: Map<number, { server: number; isMoving: boolean }>; readAt: number[] };

export const places = processWide('places', (): Places => ({ ofCompanies: new Map(), readAt: [] }));

/** So long a process relies on what it read about places. Then it first has to read them again. */
export const placesLastMs = 4000;

/** The server that the range of this id names, where a company is until it moves. */
export const homeOf = (companyId: number): number => Math.floor((companyId - 1) / companiesPerServer);

/** The server of a company. While it moves, or its place is not known, throws an error that is answered with 503. */
export function serverOf(companyId: number): number {
  if (countServers() === 1) return 0;
  const { server, isMoving } = places.ofCompanies.get(companyId) ?? { server: homeOf(companyId), isMoving: false };
  const readAt = places.readAt[server];
  if (isMoving || (readAt !== undefined && performance.now() - readAt > placesLastMs))
    throw Object.assign(new Error('the company moves to another server'), { code: 'COMPANY_MOVES' });
  return server;
}

/** Whether a company is being moved. What can wait for its new server does. */
export const isMoving = (companyId: number): boolean => places.ofCompanies.get(companyId)?.isMoving === true;

/** Whether the rows of a company on this server count. Others are what a move has not deleted yet. */
export const isOn = (server: number, companyId: number): boolean =>
  countServers() === 1 || (places.ofCompanies.get(companyId)?.server ?? homeOf(companyId)) === server;

/** The ids that companies of a server have, the largest included. */
export const idsOf = (server: number): { first: number; last: number } => {
  return { first: server * companiesPerServer + 1, last: (server + 1) * companiesPerServer };
};

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
  const ask = async (server: number) => {
    const found = (await find(server)) ?? Promise.reject(isNotHere);
    const { companyId } = found as { companyId?: unknown };
    return typeof companyId !== 'number' || serverOf(companyId) === server ? found : Promise.reject(isNotHere);
  };
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
