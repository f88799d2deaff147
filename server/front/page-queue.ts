import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressGroup } from '#platform/config/ip-address.ts';
import { languages } from '#platform/language.ts';
import { dataHeaders } from '#platform/net/http-headers.ts';
import { makeClassQueue } from '#platform/queues.ts';
import { knownGroup } from '#server/accounts/sign-in/cookies.ts';
import type { SlowReaderLimit } from '#server/front/slow-readers.ts';
import { browserTexts } from '#server/service-texts.ts';

// A page takes a core for 10 to 50 ms. Two at a time let the interface answer in between.
const concurrentPages = 2;
// An office of 500 people behind one address opens its portals at 8:00.
const [maxWaiting, maxWaitingPerGroup] = [1000, 500];
const busyText = languages.map((language) => `${browserTexts[language].busy}\n`).join('');

export type AnswerPage = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The group of a request in queues and limits: the client's address, which the front left there. */
export const groupOf = ({ headers }: IncomingMessage): string => addressGroup(String(headers['x-forwarded-for']));

/**
 * Queues page requests and alternates between client addresses, so that one client delays neither the interface nor
 * others. Known browsers are a separate class, which alternates between accounts too. 503 with `Retry-After` after 10
 * s, behind 500 others of a group (1000 of known browsers), or while the address does not read what it has (`limit`).
 */
export function queuePages(answerPage: AnswerPage, limit: SlowReaderLimit): AnswerPage {
  const queue = makeClassQueue(
    { concurrency: concurrentPages, maxWaitMs: 10_000 },
    { known: { maxWaiting }, strangers: { maxWaiting, maxWaitingPerGroup } },
  );
  return async (request, response) => {
    let answering: Promise<void> | undefined;
    const [group, account] = [groupOf(request), await knownGroup(request.headers.cookie ?? null)];
    const takeTurn = async () => {
      if (isOver(request, response)) return 'over';
      if (!limit.hasRoom(group)) return 'no-room';
      answering = answerPage(request, response);
      // A page that takes longer waits for the database or for a slow reader, and needs no core.
      await Promise.race([answering, sleep(100, undefined, { ref: false })]);
      return 'begun';
    };
    const waitForTurn = () => queue(account ? 'known' : 'strangers', group, takeTurn, account ?? undefined);
    let turn = await waitForTurn();
    while (turn === 'no-room' && (await limit.waitForRoom(group))) turn = await waitForTurn();
    if (turn === 'begun') await answering;
    else refuseBusy(request, response);
  };
}

// Whether the client has left, or was answered while it waited because its body was incomplete. When its side has
// ended, a browser has left (it sends Sec-Fetch-Mode); any other client waits for its answer.
const isOver = ({ socket, headers }: IncomingMessage, response: ServerResponse) =>
  socket.destroyed || (socket.readableEnded && headers['sec-fetch-mode'] !== undefined) || response.headersSent;

/** Refuses a page with 503, unless the client has left or was answered. */
export function refuseBusy(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) return;
  if (isOver(request, response)) return void response.destroy();
  const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', Connection: 'close' };
  response.writeHead(503, { ...dataHeaders(), ...plain, 'Retry-After': 2 }).end(busyText);
}
