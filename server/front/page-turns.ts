import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { knownGroup } from '#server/accounts/known-browser.ts';
import { addressGroup } from '#server/address-group.ts';
import { makeFairQueue } from '#server/fair-queue.ts';
import { dataHeaders } from '#server/http-headers.ts';

// A page takes a core for 10 to 50 ms. Two at a time let the interface answer in between.
const concurrentPages = 2;
// An office of 500 people behind one address opens its portals at 8:00.
const maxWaitingPages = 1000;
const maxWaitingPerAddress = 500;
const maxWaitMs = 10_000;
// A page that takes longer waits for the database or for a slow reader, and needs no core.
const maxTurnMs = 100;
const retryAfterSeconds = 2;
const busyText = 'Layanan sedang sibuk; coba lagi sebentar.\nThe service is busy; try again in a moment.\n';

/** Answers a request for a page. */
type AnswerPage = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Lets client addresses take turns at the pages, so that one client with many requests delays
 * neither the interface nor the pages of others. A person in a browser in which they signed in
 * before has turns of their own. A request that waits for more than 10 s, or has 500 of its own
 * address before it, gets 503 with `Retry-After`.
 */
export function inTurns(answerPage: AnswerPage): AnswerPage {
  const queue = makeFairQueue({
    concurrency: concurrentPages,
    maxWaiting: maxWaitingPages,
    maxWaitingPerGroup: maxWaitingPerAddress,
    maxWaitMs,
  });
  return async (request, response) => {
    let answering: Promise<void> | undefined;
    const { cookie, 'x-forwarded-for': address } = request.headers;
    const turn = await queue(knownGroup(cookie ?? null) ?? addressGroup(String(address)), async () => {
      if (response.destroyed) return;
      answering = answerPage(request, response);
      await Promise.race([answering, sleep(maxTurnMs, undefined, { ref: false })]);
    });
    if (turn === 'busy') refuseBusy(response);
    else await answering;
  };
}

function refuseBusy(response: ServerResponse): void {
  const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', Connection: 'close' };
  response.writeHead(503, { ...dataHeaders(), ...plain, 'Retry-After': retryAfterSeconds }).end(busyText);
}
