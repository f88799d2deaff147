import { createParser } from 'eventsource-parser';
import type { Message, SessionState } from '#app/portal/live/feed/channel.ts';
import { FeedSchedule, type StreamEnd } from '#app/portal/live/feed/feed-schedule.ts';
import { steadyNow } from '#app/portal/live/feed/steady-clock.ts';
import type { FeedAnswer, Item } from '#server/inbox/inbox-item.ts';
import type { MovedMessage } from '#server/inbox/moves.ts';

const pollTimeoutMs = 5000;
const maxAnswerMs = 2000;
const maxItemsPerAnswer = 50;
const recountJitterMs = 3000;
const maxFetched = 10;
const streamRetryS = 10;

/** Who reads the feed, and tells the tabs what it brings. */
type FeedReader = {
  /** The parameters of each request: the employee, the browser and the state of its sound. */
  query: () => Record<string, string>;
  /** Whether it may open a stream. Otherwise it polls. */
  streams: boolean;
  tell: (message: Message) => void;
  connection: (connected: boolean, session?: SessionState) => void;
};

/** Reads the feed of one employee by a stream and by polls. Call `tick` about once a second. */
export class FeedClient {
  private after: number;
  private readonly schedule = new FeedSchedule(steadyNow());
  private readonly reader: FeedReader;
  private stream: AbortController | null = null;
  private polling = false;
  private pollAgain = false;
  private countWanted = false;
  private rejections = 0;
  private missedUpTo = 0;
  private stopped = false;
  // Stream or poll were silent: the connection, which HTTP/2 shares, may be dead. Firefox notices after a minute only.
  private inDoubt = false;

  constructor(after: number, reader: FeedReader) {
    this.after = after;
    this.reader = reader;
  }

  tick(): void {
    if (this.stopped) return;
    const due = this.schedule.tick(steadyNow());
    if (due.closeStream) {
      this.inDoubt = true;
      this.closeStream();
    }
    if (due.openStream && this.reader.streams) void this.holdStream();
    if (due.poll) void this.poll();
  }

  /** Polls now. With `withCount`, the answer carries the unread count. */
  pollNow(withCount: boolean): void {
    if (this.stopped) return;
    this.countWanted ||= withCount;
    // A poll that is under way carries neither the request for a count nor the new state of the sound.
    this.pollAgain = this.polling;
    this.schedule.wake(steadyNow());
    this.tick();
  }

  /** The sound has changed. The service knows it by the stream, which may end in another process than a poll. */
  soundChanged(): void {
    this.closeStream();
    this.schedule.streamEnded(steadyNow(), { planned: true, waitMs: 0 });
    this.pollNow(false);
  }

  stop(): void {
    this.stopped = true;
    this.closeStream();
  }

  private closeStream(): void {
    const stream = this.stream;
    this.stream = null;
    stream?.abort();
  }

  private address(path: string): string {
    return `${path}?${new URLSearchParams({ after: String(this.after), ...this.reader.query() })}`;
  }

  // Only a poll tells the state of the session.
  private receive(answer: FeedAnswer, session?: SessionState): void {
    if (this.stopped) return;
    const items = answer.items.filter(({ no }) => no > this.after);
    this.after = Math.max(this.after, answer.newest);
    this.reader.connection(true, session);
    this.missedUpTo = Math.max(this.missedUpTo, this.after, answer.missedUpTo ?? 0);
    const { withdrawn, corrected = [], unread, back } = answer;
    if (corrected.length > 0) setTimeout(() => void this.fetchCorrected(corrected), Math.random() * recountJitterMs);
    // A withdrawal may change the count of every employee, so the browsers spread their polls over 3 s.
    if (withdrawn.length > 0 && !unread) setTimeout(() => this.pollNow(true), Math.random() * recountJitterMs);
    const { after: newest, missedUpTo } = this;
    if (items.length + withdrawn.length > 0 || unread)
      this.reader.tell({ type: 'update', newest, missedUpTo, items, withdrawn, unread, back });
  }

  // One 401 may fall between a password change and the cookie of the new session. The second one ends the session.
  private refused(): void {
    this.rejections += 1;
    if (this.rejections === 1) {
      this.schedule.pollFailed(steadyNow());
      return;
    }
    if (!this.stopped) this.reader.tell({ type: 'session-ended' });
    this.stop();
  }

  private async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    this.pollAgain = false;
    const withCount = this.countWanted;
    this.countWanted = false;
    try {
      const answer = await this.ask(this.address('/portal/feed') + (withCount ? '&count=1' : ''));
      if (answer === 401) return this.refused();
      this.rejections = 0;
      this.receive(answer, { titlesOnly: answer.titlesOnly, endsSoon: answer.endsSoon });
      if (answer.items.length === maxItemsPerAnswer || this.pollAgain) this.schedule.pollAgain(steadyNow());
    } catch {
      this.countWanted ||= withCount;
      this.schedule.pollFailed(steadyNow());
      if (!this.stopped) this.reader.connection(false);
    } finally {
      this.polling = false;
    }
  }

  // Where the browser's connection is in doubt, it also asks over one of its own. The first answer counts.
  private async ask(url: string): Promise<FeedAnswer | 401> {
    const signal = AbortSignal.timeout(pollTimeoutMs);
    const fetching = this.askByFetch(url, signal);
    const wait = new Promise<null>((resolve) => setTimeout(resolve, this.inDoubt ? 0 : maxAnswerMs, null));
    const answer = await Promise.race([fetching, wait]);
    if (answer) return answer;
    this.inDoubt = true;
    return Promise.any([fetching, askByWebSocket(url, signal)]);
  }

  private async askByFetch(url: string, signal: AbortSignal): Promise<FeedAnswer | 401> {
    const response = await fetch(url, { cache: 'no-store', signal });
    this.inDoubt = false;
    if (response.status === 401) return 401;
    if (!response.ok) throw new Error(String(response.status));
    return (await response.json()) as FeedAnswer;
  }

  // The feed tells which were corrected, the inbox has their text. If it cannot be read now, the next page has it.
  private async fetchCorrected(numbers: number[]): Promise<void> {
    const items = await this.fetchItems(numbers);
    if (items.length > 0 && !this.stopped) this.reader.tell({ type: 'corrected', items });
  }

  // The employee archived or snoozed on another device, or undid it.
  private async receiveMoved({ moved, unread }: MovedMessage): Promise<void> {
    const marked = 'returned' in moved ? { returned: await this.fetchItems(moved.returned) } : moved;
    if (!this.stopped) this.reader.tell({ type: 'marked', marked, unread });
  }

  private async fetchItems(numbers: number[]): Promise<Item[]> {
    const answers = await Promise.all(
      numbers.slice(0, maxFetched).map(async (no) => {
        const response = await fetch(`/portal/inbox?before=${no + 1}&limit=1`, {
          cache: 'no-store',
          signal: AbortSignal.timeout(pollTimeoutMs),
        }).catch(() => null);
        const answer = response?.ok ? ((await response.json()) as { items: Item[] }) : { items: [] };
        return answer.items.filter((item) => item.no === no);
      }),
    );
    return answers.flat();
  }

  private async holdStream(): Promise<void> {
    const controller = new AbortController();
    this.stream = controller;
    const ending: StreamEnd = { planned: false, waitMs: null };
    const parser = createParser({
      onEvent: ({ event, id, data }) => this.receiveEvent(event, Number(id), data),
      onRetry: (ms) => {
        ending.waitMs = ms;
      },
    });
    try {
      const response = await fetch(this.address('/portal/stream'), { cache: 'no-store', signal: controller.signal });
      if (response.status === 401) this.pollNow(false);
      if (response.ok && response.body) {
        const texts = response.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let part = await texts.read(); !part.done; part = await texts.read()) {
          if (this.stream !== controller) return;
          this.inDoubt = false;
          this.schedule.streamActive(steadyNow());
          parser.feed(part.value);
        }
        ending.planned = true;
      } else ending.waitMs = 1000 * Number(response.headers.get('retry-after') ?? streamRetryS);
    } catch {
      // The stream broke or was closed. The schedule decides when to open the next one.
    }
    if (this.stream !== controller) return;
    this.stream = null;
    this.schedule.streamEnded(steadyNow(), ending);
  }

  private receiveEvent(event: string | undefined, no: number, data: string): void {
    // The session of the stream is over. The browser may have a new one after a password change, so a poll decides.
    if (event === 'ended') this.pollNow(false);
    else if (event === 'missed') this.missedUpTo = Math.max(this.missedUpTo, Number(data));
    else if (event === 'moved') void this.receiveMoved(JSON.parse(data) as MovedMessage);
    else if (data) {
      const items = event ? [] : [JSON.parse(data) as Item];
      const withdrawn = event === 'withdrawn' ? (JSON.parse(data) as number[]) : [];
      const corrected = event === 'corrected' ? (JSON.parse(data) as number[]) : [];
      this.receive({ newest: no, items, withdrawn, corrected, unread: null });
    }
  }
}

// Browsers open a new connection for a WebSocket, of HTTP/1.1. The service sends one message, the answer.
function askByWebSocket(url: string, signal: AbortSignal): Promise<FeedAnswer> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(new URL(url, location.href.replace(/^http/, 'ws')));
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      resolve(JSON.parse(data) as FeedAnswer);
      socket.close();
    };
    socket.onclose = () => reject(new Error('no answer'));
    signal.onabort = () => socket.close();
  });
}
