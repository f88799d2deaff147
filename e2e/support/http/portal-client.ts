import type { IncomingMessage } from 'node:http';
import { numbersIn } from '#e2e/support/http/open-streams.ts';

/**
 * A portal without a page. `numbers` are those of the notifications that came, in order, `newest` the
 * last number that its stream told, `isLive` whether the stream told one since it was opened.
 */
export type PortalClient = { numbers: number[]; newest: number; isLive: boolean; openings: number; refusals: number };

/** Opens a stream after a number. Resolves with the headers. */
type Open = (after: number) => Promise<IncomingMessage>;

const pauseMs = 500;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Reads streams as a portal does: when one ends, the next one goes on after the newest number, when
 * the stream said. `ended` resolves after `isOver`, with the next event.
 */
export function keepReading(open: Open, isOver: () => boolean, after = 0): PortalClient & { ended: Promise<void> } {
  const client: PortalClient = { numbers: [], newest: after, isLive: false, openings: 0, refusals: 0 };
  const read = async (stream: IncomingMessage) => {
    let rest = '';
    let retryMs = 0;
    stream
      .on('error', () => {})
      .setEncoding('utf8')
      .on('data', (part: string) => {
        const whole = (rest + part).split(/(?<=\n\n)/);
        rest = whole.at(-1)?.endsWith('\n\n') ? '' : (whole.pop() ?? '');
        const numbers = whole.flatMap(numbersIn);
        client.numbers.push(...numbers);
        client.newest = numbers.at(-1) ?? client.newest;
        retryMs = Number(/^retry: (\d+)$/m.exec(whole.join(''))?.[1] ?? retryMs);
        client.isLive ||= whole.some((event) => event.startsWith('event: ping'));
        if (isOver()) stream.destroy();
      });
    await new Promise((resolve) => stream.once('close', resolve));
    client.isLive = false;
    return retryMs;
  };
  const readAgain = async () => {
    while (!isOver()) {
      const stream = await open(client.newest).catch(() => null);
      client[stream?.statusCode === 200 ? 'openings' : 'refusals'] += 1;
      if (stream?.statusCode === 200) {
        await pause(await read(stream));
        continue;
      }
      stream?.destroy();
      await pause(pauseMs * (1 + Math.random()));
    }
  };
  return Object.assign(client, { ended: readAgain() });
}
