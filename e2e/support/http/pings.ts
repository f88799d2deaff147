import { get, type IncomingMessage } from 'node:http';
import { expectCommon } from '#e2e/support/http/interface.ts';

/** A response to a ping: its status, the requests left in the minute, its duration. Without a response, 0 and `why`. */
export type Pinged = { status: number; left: number; ms: number; why?: string };

/** Pings a service on a new connection, and checks what every response must have. */
export async function ping(url: string, key: string): Promise<Pinged> {
  const started = performance.now();
  const address = `${url}/api/v1/notif.php?aksi=ping`;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(address, { headers: { 'X-API-Key': key }, agent: false }, resolve).once('error', reject);
    });
    response.resume();
    await new Promise((resolve) => response.once('close', resolve));
    const ms = performance.now() - started;
    const headers = new Headers(response.headers as Record<string, string>);
    expectCommon({ status: response.statusCode ?? 0, headers });
    return { status: response.statusCode ?? 0, left: Number(headers.get('x-ratelimit-remaining')), ms };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'syscall' in error) && !String(error).includes('hang up'))
      throw error;
    return { status: 0, left: 0, ms: performance.now() - started, why: String(error) };
  }
}

/** Pings at a constant rate per second, with the keys in turn, until `isOver`. Late responses delay no ping. */
export async function keepPinging(
  url: string,
  keys: string[],
  perSecond: number,
  isOver: (sent: number) => boolean,
): Promise<Pinged[]> {
  const asked: Promise<Pinged>[] = [];
  const started = performance.now();
  while (!isOver(asked.length)) {
    while (!isOver(asked.length) && asked.length < ((performance.now() - started) / 1000) * perSecond)
      asked.push(ping(url, keys[asked.length % keys.length] ?? ''));
    await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
  }
  return Promise.all(asked);
}

/** Counts responses by status, as in `{ 200: 60, 429: 140 }`. */
export function countStatuses(answers: Pinged[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The minute of this machine's clock, in which Upstash counts. */
export const currentMinute = (): number => Math.floor(Date.now() / 60_000);

/** The result of a run that no minute's end divided. Runs again where one did. */
export async function inOneMinute<Result>(run: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const minute = currentMinute();
    const result = await run();
    if (minute === currentMinute()) return result;
  }
}
