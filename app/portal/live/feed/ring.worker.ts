import { type Contact, type Message, openChannel, type Start } from '#app/portal/live/feed/channel.ts';
import { RingLoop } from '#app/portal/live/feed/ring-loop.ts';
import type { SoundState } from '#server/employees/portal-visits.ts';
import type { FeedAnswer } from '#server/inbox/inbox-item.ts';

// A hidden page's own timers run once a minute; a dedicated worker's are not slowed down. Every tab has this worker, and
// one of them leads: it alone asks the service, and tells the others.

const tickMs = 1000;
const tellEveryMs = 4000;
const leaderGoneMs = 11_000;
const answerWithinMs = 3000;
const catchUpAfterMs = 300;
const soundOrder: SoundState[] = ['on', 'muted', 'click', 'blocked', 'unsupported'];

const scope = self as unknown as { onmessage: unknown; postMessage: (message: Message) => void };

class TabWorker {
  private after: number;
  private loop: RingLoop | null = null;
  private contact: Contact = { connected: true, checkedAt: null };
  private toldAt = 0;
  private stopped = false;
  private leaderHeardAt = Date.now();
  private tickedAt = Date.now();
  private release: (() => void) | undefined;
  private readonly start: Start;
  private readonly sounds = new Map<string, SoundState>();
  private readonly channel: ReturnType<typeof openChannel>;
  // Without TLS there are no locks; then every tab asks for itself, without a stream (a browser opens six in all).
  private readonly locks: LockManager | undefined = navigator.locks;

  constructor(start: Start) {
    this.start = start;
    this.after = start.after;
    this.channel = openChannel(start.person, (message) => this.hear(message));
    setInterval(() => this.tick(), tickMs);
    this.apply();
    setTimeout(() => void this.catchUp(), catchUpAfterMs);
  }

  // What arrived between the making of this page and now was told to the other tabs only.
  private async catchUp(): Promise<void> {
    if (this.loop || this.stopped) return;
    const { person, browser, after } = this.start;
    const query = new URLSearchParams({ after: String(after), person, browser });
    const response = await fetch(`/portal/feed?${query}`, { cache: 'no-store' }).catch(() => null);
    if (!response?.ok) return;
    scope.postMessage({ type: 'news', ...((await response.json()) as FeedAnswer) });
  }

  private hear(message: Message): void {
    if (message.type === 'news') this.after = Math.max(this.after, message.newest);
    if (message.type === 'leading') this.hearLeader();
    if (message.type === 'ended') this.stop();
    if (message.type === 'sound') this.noteSound(message);
    if (message.type === 'look') this.look(message.count);
  }

  private hearLeader(): void {
    this.leaderHeardAt = Date.now();
    // Somebody signed in again in another tab.
    if (!this.stopped) return;
    this.stopped = false;
    this.apply();
  }

  private look(count: boolean): void {
    if (this.loop) this.loop.look(count);
    else this.leaderHeardAt = Math.min(this.leaderHeardAt, Date.now() - leaderGoneMs + answerWithinMs);
  }

  private noteSound({ tab, state }: Extract<Message, { type: 'sound' }>): void {
    const before = this.bestSound();
    if (state) this.sounds.set(tab, state);
    else this.sounds.delete(tab);
    if (this.bestSound() !== before) this.loop?.look(false);
  }

  private bestSound(): SoundState | undefined {
    return soundOrder.find((state) => [...this.sounds.values()].includes(state));
  }

  private apply(): void {
    if (!this.locks) this.lead();
    this.locks?.request(this.lockName, () => this.holdLead()).catch(() => this.loseLead());
  }

  // The leading tab was frozen: its lock is still held, its voice is gone.
  private takeOver(): void {
    this.leaderHeardAt = Date.now();
    this.locks?.request(this.lockName, { steal: true }, () => this.holdLead()).catch(() => this.loseLead());
  }

  private get lockName(): string {
    return `portal:${this.start.person}`;
  }

  private holdLead(): Promise<void> {
    if (this.stopped || this.loop) return Promise.resolve();
    this.lead();
    return new Promise((resolve) => {
      this.release = resolve;
    });
  }

  private loseLead(): void {
    this.loop?.stop();
    this.loop = null;
    this.leaderHeardAt = Date.now();
    if (!this.stopped) this.apply();
  }

  private lead(): void {
    const query = () => {
      const sound = this.bestSound();
      return { person: this.start.person, browser: this.start.browser, ...(sound ? { sound } : {}) };
    };
    const events = {
      news: (answer: FeedAnswer) => {
        this.after = Math.max(this.after, answer.newest);
        this.channel.post({ type: 'news', ...answer });
      },
      contact: (connected: boolean) => this.noteContact(connected),
      ended: () => {
        this.channel.post({ type: 'ended' });
        this.stop();
      },
    };
    this.loop = new RingLoop(this.after, query, events, { streams: this.locks !== undefined });
    this.loop.tick();
  }

  private stop(): void {
    this.stopped = true;
    this.loop?.stop();
    this.loop = null;
    this.release?.();
  }

  private tick(): void {
    const now = Date.now();
    // After a sleep everybody's last word is old: the leader speaks first.
    if (now - this.tickedAt > leaderGoneMs) this.leaderHeardAt = now;
    this.tickedAt = now;
    if (this.stopped) return;
    this.loop?.tick();
    if (this.loop && now - this.toldAt > tellEveryMs) this.tell();
    const gone = now - this.leaderHeardAt > leaderGoneMs + Math.random() * 2000;
    if (!this.loop && this.locks && gone) this.takeOver();
  }

  private noteContact(connected: boolean): void {
    this.contact = { connected, checkedAt: connected ? Date.now() : this.contact.checkedAt };
    this.tell();
  }

  private tell(): void {
    this.toldAt = Date.now();
    this.channel.post({ type: 'leading', ...this.contact });
  }
}

scope.onmessage = ({ data }: MessageEvent<Start>) => new TabWorker(data);
