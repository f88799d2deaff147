import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { knownGroup } from '#server/accounts/known-browser.ts';
import { addressGroup } from '#server/address-group.ts';
import { makeLanes } from '#server/fair-queue.ts';
import { dataHeaders } from '#server/http-headers.ts';

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
 * Lets client addresses take turns at the pages, so that one client with many requests delays
 * neither the interface nor the pages of others. People in a browser in which they signed in before
 * have a lane of their own, by account. A request that waits for more than 10 s, or has 500 of its own
 * address before it, gets 503 with `Retry-After`.
 */
export function inTurns(answerPage: AnswerPage): AnswerPage {
  const lanes = makeLanes({
    concurrency: concurrentPages,
    maxWaitMs,
    lanes: { known: waitingLimits, strangers: waitingLimits },
  });
  return async (request, response) => {
    let answering: Promise<void> | undefined;
    const { cookie, 'x-forwarded-for': address } = request.headers;
    const known = knownGroup(cookie ?? null);
    const turn = await lanes(known ? 'known' : 'strangers', known ?? addressGroup(String(address)), async () => {
      if (isOver(request, response)) return;
      answering = answerPage(request, response);
      await Promise.race([answering, sleep(maxTurnMs, undefined, { ref: false })]);
    });
    if (turn !== 'busy') await answering;
    else if (!isOver(request, response)) refuseBusy(response);
  };
}

// Whether the client has left, or was refused while it waited because its body was not complete.
const isOver = ({ socket }: IncomingMessage, response: ServerResponse) => socket.destroyed || response.headersSent;

function refuseBusy(response: ServerResponse): void {
  const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', Connection: 'close' };
  response.writeHead(503, { ...dataHeaders(), ...plain, 'Retry-After': retryAfterSeconds }).end(busyText);
}
