import { expectCommon, withKey } from '#e2e/support/http/interface.ts';
import { openLine } from '#e2e/support/http/line.ts';

/** A response to a ping: its status (0: none), the requests left in the minute, and its duration. */
export type Pinged = { status: number; left: number; ms: number };

export async function ping(url: string, key: string): Promise<Pinged> {
  const started = performance.now();
  const answer = await openLine(url, false).ask('/api/v1/notif.php?aksi=ping', { headers: withKey(key) });
  const ms = performance.now() - started;
  const { status } = answer;
  const headers = new Headers(answer.headers as Record<string, string>);
  if (status !== 0) expectCommon({ status, headers });
  return { status, left: Number(headers.get('x-ratelimit-remaining')), ms };
}

/** Pings services in turn, so often with one key, and so many at once. */
export async function pingOften(urls: string[], key: string, times: number, atOnce: number): Promise<Pinged[]> {
  const answers: Pinged[] = [];
  let begun = 0;
  const ask = async () => {
    while (begun < times) answers.push(await ping(urls[begun++ % urls.length] ?? '', key));
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  return answers;
}

/** Pings at a constant rate per second, with the keys in turn, until `isOver`. Late responses delay no ping. */
export async function keepPinging(url: string, keys: string[], perSecond: number, isOver: (sent: number) => boolean) {
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
export function countStatuses(answers: { status: number }[]): Record<string, number> {
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
