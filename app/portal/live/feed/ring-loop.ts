import { createParser } from 'eventsource-parser';
import { RingClock } from '#app/portal/live/feed/ring-clock.ts';
import type { FeedAnswer, Item } from '#server/inbox/inbox-item.ts';

const pollTimeoutMs = 5000;
// Everybody's count may change with one withdrawal; not everybody asks in the same moment.
const recountWithinMs = 3000;

/** What a loop tells its owner. */
export type LoopEvents = {
  news: (answer: FeedAnswer) => void;
  contact: (connected: boolean) => void;
  ended: () => void;
};

/**
 * Asks the service for what is new, while it leads: a stream where there can be one, the poll beneath it. `query` names the
 * person, the browser and its sound in every request. `tick` is to be called about once a second.
 */
export class RingLoop {
  after: number;
  private readonly clock = new RingClock(Date.now());
  private readonly query: () => Record<string, string>;
  private readonly events: LoopEvents;
  private readonly streams: boolean;
  private stream: AbortController | null = null;
  private asking = false;
  private askAgain = false;
  private countWanted = false;
  private doubts = 0;
  private over = false;

  constructor(
    after: number,
    query: () => Record<string, string>,
    events: LoopEvents,
    { streams }: { streams: boolean },
  ) {
    this.after = after;
    this.query = query;
    this.events = events;
    this.streams = streams;
  }

  /** Does what is due. */
  tick(): void {
    if (this.over) return;
    const todo = this.clock.tick(Date.now());
    if (todo.closeStream) this.dropStream();
    if (todo.openStream && this.streams) void this.holdStream();
    if (todo.ask) void this.ask();
  }

  /** Looks at once; with `count`, the answer brings the unread count too. */
  look(count: boolean): void {
    if (this.over) return;
    this.countWanted ||= count;
    // The question under way does not say what is new since it was asked: a wish for the count, the sound's state.
    this.askAgain = this.asking;
    this.clock.wake(Date.now());
    this.tick();
  }

  /** Ends the loop and its stream for good. */
  stop(): void {
    this.over = true;
    this.dropStream();
  }

  private dropStream(): void {
    const dropped = this.stream;
    this.stream = null;
    dropped?.abort();
  }

  private address(path: string): string {
    return `${path}?${new URLSearchParams({ after: String(this.after), ...this.query() })}`;
  }

  private receive(answer: FeedAnswer): void {
    if (this.over) return;
    const items = answer.items.filter(({ no }) => no > this.after);
    this.after = Math.max(this.after, answer.newest);
    this.events.contact(true);
    // A process of an earlier version does not say what was withdrawn.
    const { withdrawn = [], unread } = answer;
    if (withdrawn.length > 0 && !unread) setTimeout(() => this.look(true), Math.random() * recountWithinMs);
    if (items.length + withdrawn.length > 0 || unread)
      this.events.news({ newest: this.after, items, withdrawn, unread });
  }

  // One refusal may fall between a changed password and the cookie of its new session; a second one, 3 s later, is the end.
  private doubt(): void {
    this.doubts += 1;
    if (this.doubts === 1) this.clock.pollFailed(Date.now());
    else {
      if (!this.over) this.events.ended();
      this.stop();
    }
  }

  private async ask(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    this.askAgain = false;
    const withCount = this.countWanted;
    this.countWanted = false;
    try {
      const url = this.address('/portal/feed') + (withCount ? '&count=1' : '');
      const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(pollTimeoutMs) });
      if (response.status === 401) return this.doubt();
      if (!response.ok) throw new Error(String(response.status));
      this.doubts = 0;
      const answer = (await response.json()) as FeedAnswer;
      if (answer.items.length === 50) this.clock.pollAgain(Date.now());
      this.receive(answer);
      if (this.askAgain) this.clock.pollAgain(Date.now());
    } catch {
      this.countWanted ||= withCount;
      this.clock.pollFailed(Date.now());
      if (!this.over) this.events.contact(false);
    } finally {
      this.asking = false;
    }
  }

  private async holdStream(): Promise<void> {
    const controller = new AbortController();
    this.stream = controller;
    const ending: { planned: boolean; waitMs: number | null } = { planned: false, waitMs: null };
    try {
      const response = await fetch(this.address('/portal/stream'), { cache: 'no-store', signal: controller.signal });
      if (response.status === 401) this.look(false);
      if (response.ok && response.body) await this.readStream(response.body, controller, ending);
      else ending.waitMs = 1000 * Number(response.headers.get('retry-after') ?? 10);
    } catch {
      // Broken or dropped; the clock says when to try again.
    }
    if (this.stream !== controller) return;
    this.stream = null;
    this.clock.streamEnded(Date.now(), ending);
  }

  private async readStream(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    controller: AbortController,
    ending: { planned: boolean; waitMs: number | null },
  ): Promise<void> {
    const parser = createParser({
      onEvent: ({ event, id, data }) => this.hearStream(event, Number(id), data),
      onRetry: (ms) => {
        ending.waitMs = ms;
      },
    });
    const texts = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await texts.read(); !part.done; part = await texts.read()) {
      if (this.stream !== controller) return;
      this.clock.streamHeard(Date.now());
      parser.feed(part.value);
    }
    ending.planned = true;
  }

  private hearStream(event: string | undefined, no: number, data: string): void {
    // The session the stream began with is over; the browser may have a new one (a changed password), so the poll decides.
    if (event === 'ended') this.look(false);
    else if (data) {
      const items = event ? [] : [JSON.parse(data) as Item];
      const withdrawn = event === 'withdrawn' ? (JSON.parse(data) as number[]) : [];
      this.receive({ newest: no, items, withdrawn, unread: null });
    }
  }
}
