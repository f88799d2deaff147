import { type Connection, type Message, openChannel, type WorkerStart } from '#app/portal/live/feed/channel.ts';
import { FeedClient } from '#app/portal/live/feed/feed-client.ts';
import { LeaderWatch } from '#app/portal/live/feed/leader-watch.ts';
import { steadyNow } from '#app/portal/live/feed/steady-clock.ts';
import type { SoundState } from '#server/employees/portal-visits.ts';
import type { FeedAnswer } from '#server/inbox/inbox-item.ts';
import type { UnreadCount } from '#server/inbox/unread.ts';

// The worker of one tab. Browsers slow the timers of a hidden page down to one a minute, but not those of a dedicated
// worker. One of an employee's tabs holds a lock and leads: its worker reads the feed and tells the others.

const tickMs = 1000;
const catchUpDelayMs = 300;
const recountMs = 15 * 60_000;
const soundOrder: SoundState[] = ['on', 'muted', 'click', 'blocked', 'unsupported'];

const scope = self as unknown as { onmessage: unknown; postMessage: (message: Message) => void };

class TabWorker {
  private after: number;
  private client: FeedClient | null = null;
  private connection: Connection = { connected: true, checkedAt: null };
  private stopped = false;
  private readonly watch = new LeaderWatch(steadyNow());
  // When the next snooze ends, if the service said so, and when it last did (`steadyNow`).
  private nextBackAt: number | null;
  private countedAt = steadyNow();
  private releaseLock: (() => void) | undefined;
  private readonly start: WorkerStart;
  private readonly sounds = new Map<string, { state: SoundState; isBell: boolean }>();
  private readonly channel: BroadcastChannel;
  // Without locks (no TLS, or refused) every tab polls for itself. It opens no stream: a browser has six connections.
  private locks: LockManager | undefined = navigator.locks;

  constructor(start: WorkerStart) {
    this.start = start;
    this.after = start.after;
    this.nextBackAt = start.nextBackIn === null ? null : steadyNow() + start.nextBackIn;
    this.soundChanged(start.sound);
    this.channel = openChannel(start.person, (message) => this.receive(message));
    setInterval(() => this.tick(), tickMs);
    this.requestLead();
    setTimeout(() => void this.catchUp(), catchUpDelayMs);
  }

  // The leader told the other tabs what arrived while this page loaded. This tab asks once for itself.
  private async catchUp(): Promise<void> {
    if (this.client || this.stopped) return;
    const { person, browser, after, withCount } = this.start;
    const query = new URLSearchParams({ after: String(after), person, browser, ...(withCount && { count: '1' }) });
    const response = await fetch(`/portal/feed?${query}`, { cache: 'no-store' }).catch(() => null);
    if (!response?.ok) return;
    scope.postMessage({ type: 'update', ...((await response.json()) as FeedAnswer) });
  }

  private receive(message: Message): void {
    if (message.type === 'update') this.after = Math.max(this.after, message.newest);
    if (message.type === 'update' || message.type === 'marked') this.takeCount(message.unread);
    if (message.type === 'leader') this.leaderReported();
    if (message.type === 'session-ended') this.stop();
    if (message.type === 'sound') this.soundChanged(message);
    if (message.type === 'poll') this.pollNow(message.withCount);
  }

  private leaderReported(): void {
    this.watch.heard(steadyNow());
    // The employee signed in again in another tab.
    if (!this.stopped) return;
    this.stopped = false;
    this.requestLead();
  }

  // The clocks of the service and of this device may differ, so only the time from now is taken over.
  private takeCount(unread: UnreadCount | null): void {
    if (!unread) return;
    this.countedAt = steadyNow();
    this.nextBackAt = unread.nextBackAt ? steadyNow() + unread.nextBackAt - unread.at : null;
  }

  private pollNow(withCount: boolean): void {
    if (this.client) this.client.pollNow(withCount);
    else this.watch.expectReport(steadyNow());
  }

  private soundChanged({ tab, state, isBell }: WorkerStart['sound']): void {
    const before = JSON.stringify(this.bestSound());
    if (state) this.sounds.set(tab, { state, isBell });
    else this.sounds.delete(tab);
    if (JSON.stringify(this.bestSound()) !== before) this.client?.soundChanged();
  }

  // The best state of all tabs, and whether only bells have it.
  private bestSound(): { sound?: SoundState; bell?: '1' } {
    const sounds = [...this.sounds.values()];
    const sound = soundOrder.find((state) => sounds.some((other) => other.state === state));
    if (!sound) return {};
    return sounds.every(({ state, isBell }) => isBell || state !== sound) ? { sound, bell: '1' } : { sound };
  }

  // `steal`: the browser froze the leading tab, which holds the lock and is silent.
  private requestLead(steal = false): void {
    if (!this.locks) this.lead();
    this.locks
      ?.request(this.channel.name, { steal }, () => this.holdLead())
      .catch((error: Error) => {
        // Another tab has stolen the lock.
        if (error.name === 'AbortError') return this.loseLead();
        this.locks = undefined;
        this.lead();
      });
  }

  private holdLead(): Promise<void> {
    if (this.stopped || this.client) return Promise.resolve();
    this.lead();
    return new Promise((resolve) => {
      this.releaseLock = resolve;
    });
  }

  private loseLead(): void {
    this.client?.stop();
    this.client = null;
    this.watch.heard(steadyNow());
    if (!this.stopped) this.requestLead();
  }

  private lead(): void {
    const { person, browser } = this.start;
    this.client = new FeedClient(this.after, {
      streams: this.locks !== undefined,
      query: () => ({ person, browser, ...this.bestSound() }),
      // A channel does not tell its own worker.
      tell: (message) => {
        this.channel.postMessage(message);
        this.receive(message);
      },
      connection: (connected, session = this.connection) => {
        const { titlesOnly, endsSoon } = session;
        const checkedAt = connected ? Date.now() : this.connection.checkedAt;
        this.connection = { connected, checkedAt, titlesOnly, endsSoon };
        this.report();
      },
    });
    if (this.start.withCount) this.client.pollNow(true);
    else this.client.tick();
  }

  private stop(): void {
    this.stopped = true;
    this.client?.stop();
    this.client = null;
    this.releaseLock?.();
  }

  private tick(): void {
    const now = steadyNow();
    this.watch.tick(now);
    if (this.stopped) return;
    this.pollForBack(now);
    this.client?.tick();
    if (this.client && this.watch.isReportDue(now)) this.report();
    if (this.client || !this.locks || !this.watch.isLost(now)) return;
    this.watch.heard(now);
    this.requestLead(true);
  }

  // A snooze has ended, or may have begun on another device meanwhile.
  private pollForBack(now: number): void {
    const isDue = this.nextBackAt !== null && now > this.nextBackAt;
    if (!this.client || (!isDue && now - this.countedAt < recountMs)) return;
    this.nextBackAt = null;
    this.countedAt = now;
    this.client.pollNow(true);
  }

  private report(): void {
    this.watch.reported(steadyNow());
    this.channel.postMessage({ type: 'leader', ...this.connection });
  }
}

scope.onmessage = ({ data }: MessageEvent<WorkerStart>) => new TabWorker(data);
