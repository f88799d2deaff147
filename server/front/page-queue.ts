import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressGroup } from '#platform/net/address-group.ts';
import { dataHeaders } from '#platform/net/http-headers.ts';
import { makeClassQueue } from '#platform/queues/fair-queue.ts';
import { knownGroup } from '#server/accounts/sign-in/known-browser.ts';

// A page takes a core for 10 to 50 ms. Two at a time let the interface answer in between.
const concurrentPages = 2;
// An office of 500 people behind one address opens its portals at 8:00.
const waitingLimits = { maxWaiting: 1000, maxWaitingPerGroup: 500 };
const maxWaitMs = 10_000;
// A page that takes longer waits for the database or for a slow reader, and needs no core.
const maxTurnMs = 100;
const retryAfterSeconds = 2;
const busyText = 'Layanan sedang sibuk; coba lagi sebentar.\nThe service is busy; try again in a moment.\n';

/** Answers a request for a page. */
type AnswerPage = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Queues page requests and alternates between client addresses, so that one client with many
 * requests delays neither the interface nor the pages of others. Known browsers are a separate
 * class, grouped by account. A request gets 503 with `Retry-After` when it waits for more than 10 s
 * or behind 500 others of its group.
 */
export function queuePages(answerPage: AnswerPage): AnswerPage {
  const queue = makeClassQueue(
    { concurrency: concurrentPages, maxWaitMs },
    { known: waitingLimits, strangers: waitingLimits },
  );
  return async (request, response) => {
    let answering: Promise<void> | undefined;
    const { cookie, 'x-forwarded-for': address } = request.headers;
    const known = knownGroup(cookie ?? null);
    const turn = await queue(known ? 'known' : 'strangers', known ?? addressGroup(String(address)), async () => {
      if (isOver(request, response)) return;
      answering = answerPage(request, response);
      await Promise.race([answering, sleep(maxTurnMs, undefined, { ref: false })]);
    });
    if (turn !== 'busy') await answering;
    else if (!isOver(request, response)) refuseBusy(response);
  };
}

// Whether the client has left, or was answered while it waited because its body was incomplete.
const isOver = ({ socket }: IncomingMessage, response: ServerResponse) => socket.destroyed || response.headersSent;

function refuseBusy(response: ServerResponse): void {
  const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', Connection: 'close' };
  response.writeHead(503, { ...dataHeaders(), ...plain, 'Retry-After': retryAfterSeconds }).end(busyText);
}
