import { type Connection, type Marked, type Message, openChannel } from '#app/portal/live/feed/channel.ts';
import { steadyNow } from '#app/portal/live/feed/steady-clock.ts';
import { type Quiet, quietAt } from '#app/portal/live/quiet/quiet.ts';
import { askToRing, ringFor } from '#app/portal/live/sound/ring.ts';
import { chime, restoreSound, soundState, unlockSoundAtTouch, watchSound } from '#app/portal/live/sound/sound.ts';
import {
  browserId,
  popUpClaim,
  readReceived,
  recordReceived,
  resetReceived,
  resumeMs,
  resumeReceived,
} from '#app/portal/live/storage/claims.ts';
import { listen, startTabWorker, whenWorkerSays, whileShown } from '#app/portal/live/store/browser-events.ts';
import { applyMark, MarkLog } from '#app/portal/live/store/mark-log.ts';
import { type PopUps, PopUpTurn } from '#app/portal/live/store/pop-up-turn.ts';
import { type InitialPortal, type PortalState, withArrived, withCount } from '#app/portal/live/store/portal-state.ts';
import type { Result } from '#app/ui/forms/fields.ts';
import { noteServiceTime, serviceNow } from '#app/ui/text/times.ts';
import type { SoundState } from '#server/employees/portal-visits.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { Preferences } from '#server/inbox/preferences.ts';
import type { UnreadCount } from '#server/inbox/unread.ts';

const soundReportMs = 60_000;
const hourMs = 3_600_000;

/** What one page knows, from the worker of its tab and from other tabs. It takes part in who rings and who pops up. */
export class PortalStore {
  /** What the service rendered the page with. */
  readonly initial: InitialPortal;
  readonly opened: PortalState;
  /** It is replaced at each change, never modified. */
  state: PortalState;
  /** The marks that a list may not contain yet. */
  readonly marks = new MarkLog();
  /** The pop-ups of this page. Set them before `start`. */
  popUps!: PopUps;
  readonly tab = crypto.randomUUID?.() ?? String(Math.random());
  private readonly subscribers = new Set<() => void>();
  private readonly knownNumbers = new Set<number>();
  // What came back from a snooze before (ms) was there when the page was rendered.
  private readonly backSince: number;
  private readonly turn = new PopUpTurn(this);
  private channel: BroadcastChannel | null = null;
  private soundReportedAt = 0;
  private leaderHeard = false;
  // The newest number that this page has received.
  private received: number;
  // Up to this number, all was sent before this browser asked for it.
  private missedUpTo = 0;
  // The newest number that other pages announced while this one was in the back/forward cache.
  private announced = 0;

  constructor(initial: InitialPortal) {
    this.initial = initial;
    this.received = initial.newest;
    this.backSince = initial.unread.at - resumeMs;
    const { unread, preferences } = initial;
    const connection = { connected: true, checkedAt: null };
    this.opened = { unread, arrived: [], withdrawn: [], connection, sessionEnded: false, preferences };
    this.state = this.opened;
  }

  /** Calls back after each change of `state`. Returns the function that stops it. */
  subscribe = (subscriber: () => void): (() => void) => {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  };

  start(): () => void {
    const stopAll = [
      whileShown((again) => this.connect(again)),
      unlockSoundAtTouch(),
      watchSound(() => this.reportSound()),
      listen(window, ['online', 'pageshow', 'resume', 'focus'], () => this.tabUsed()),
      listen(document, ['visibilitychange'], () => this.tabUsed()),
      // The person signed in again on top of this page, which continues. It acts as a new leader would.
      listen(window, ['signed-in'], () => {
        this.change({ sessionEnded: false });
        this.post({ type: 'leader', ...this.state.connection });
      }),
      // A headset or loudspeaker is back. Only over TLS.
      listen(navigator.mediaDevices ?? new EventTarget(), ['devicechange'], () => void restoreSound()),
      whenWorkerSays('portal?', (answer) => {
        const alive = !this.state.sessionEnded;
        answer?.postMessage({ alive, looked: alive && !document.hidden, rings: alive && soundState() === 'on' });
      }),
    ];
    if (!document.hidden) this.turn.tabVisible();
    return () => {
      for (const stop of stopAll) stop();
    };
  }

  /** Tells lists and tabs what an action marked. Returns its value or problem (`offline`: no answer). */
  async storeMarked<Value extends { unread: UnreadCount }>(
    action: Promise<Result<Value>>,
    markedBy: (value: Value) => Marked,
  ): Promise<{ value: Value } | { problem: string }> {
    const result = await action.catch(() => null);
    if (!result) return { problem: 'offline' };
    this.checkSession(result);
    if ('problems' in result) return { problem: result.problems.form ?? '' };
    const marked = markedBy(result.value);
    const { unread } = result.value;
    this.post({ type: 'marked', marked, unread });
    this.takeCount(unread);
    // Where it was begun, it is shown, and the employee may have changed it again since.
    this.marks['no' in marked ? 'add' : 'begin'](marked, unread.at);
    return result;
  }

  /** If an action found that the session ended, the leading tab polls and tells every tab. */
  checkSession = (result: Result<unknown>): void => {
    if ('problems' in result && result.problems.form === 'session-ended') this.post({ type: 'poll', withCount: false });
  };

  /** Stops every tab at once after a sign-out. */
  signedOut(): void {
    this.post({ type: 'session-ended' });
    this.endSession();
  }

  private endSession(): void {
    this.change({ sessionEnded: true });
    this.popUps.clear();
  }

  setPreferences(preferences: Preferences): void {
    this.change({ preferences });
    this.post({ type: 'preferences', preferences });
  }

  refresh(unread: UnreadCount, preferences: Preferences): void {
    this.takeCount(unread);
    this.change({ preferences });
  }

  quietNow = (): Quiet => quietAt(this.state.preferences, this.initial.timeZone, serviceNow());

  // Opens the channel and starts the worker. Returns the function that ends both.
  private connect(again: boolean): () => void {
    // What the page shows belongs to a session that has ended.
    if (again && this.state.sessionEnded) location.reload();
    if (again) this.announced = readReceived(this.initial.person)?.received ?? 0;
    else this.received = resumeReceived(this.initial.person, this.initial.newest);
    this.leaderHeard = false;
    let stopWorker = () => {};
    const receive = (message: Message) => this.receive(message);
    try {
      this.channel = openChannel(this.initial.person, receive);
      const onError = () => this.change({ connection: { ...this.state.connection, connected: false } });
      stopWorker = startTabWorker(this.workerStart(again), receive, onError);
    } catch {
      // The browser refuses channel or worker. The page cannot listen, but people can still read it.
      this.change({ connection: { connected: false, checkedAt: null, refused: true } });
    }
    return () => {
      // The next page of this tab announces what this one could not.
      const unclaimed = this.turn.firstUnclaimed();
      if (unclaimed !== null) resetReceived(this.initial.person, unclaimed - 1);
      this.reportSound(null);
      stopWorker();
      this.channel?.close();
      this.channel = null;
    };
  }

  private workerStart(again: boolean) {
    const { at, backAt, nextBackAt } = this.state.unread;
    return {
      sound: this.asSound(soundState()),
      person: this.initial.person,
      browser: browserId(),
      after: this.received,
      withCount: again || (backAt ?? 0) > this.backSince,
      nextBackIn: nextBackAt ? nextBackAt - at : null,
    };
  }

  private change(changes: Partial<PortalState>): void {
    this.state = { ...this.state, ...changes };
    for (const subscriber of this.subscribers) subscriber();
  }

  /** Tells the other tabs, and the worker of the leading one. */
  post(message: Message): void {
    this.channel?.postMessage(message);
  }

  private tabUsed(): void {
    if (document.hidden) return;
    void restoreSound();
    this.post({ type: 'poll', withCount: true });
    this.turn.tabVisible();
  }

  private reportSound(state: SoundState | null = soundState()): void {
    this.soundReportedAt = steadyNow();
    this.post({ type: 'sound', ...this.asSound(state) });
  }

  private asSound = (state: SoundState | null) => ({ tab: this.tab, isBell: this.initial.isBell === true, state });

  private receive(message: Message): void {
    if (message.type === 'update') this.receiveUpdate(message);
    if (message.type === 'corrected') this.correct(message.items);
    if (message.type === 'leader') this.receiveLeader(message);
    if (message.type === 'session-ended') this.endSession();
    if (message.type === 'preferences') this.change({ preferences: message.preferences });
    if (message.type === 'marked') {
      this.takeCount(message.unread);
      this.marks.begin(message.marked, message.unread.at);
    }
    this.turn.receive(message);
  }

  private receiveUpdate(message: Extract<Message, { type: 'update' }>): void {
    const { newest, missedUpTo = newest, items, withdrawn, unread, back = [] } = message;
    recordReceived(this.initial.person, newest);
    this.missedUpTo = Math.max(this.missedUpTo, missedUpTo);
    this.received = Math.max(this.received, newest);
    this.withdraw(withdrawn.filter((no) => !this.state.withdrawn.includes(no)));
    this.arrive(items.filter(({ no }) => !this.knownNumbers.has(no) && !this.state.withdrawn.includes(no)));
    if (unread) this.takeCount(unread);
    this.comeBack(back);
  }

  // Their snooze has ended. They are in the list again, ring and pop up.
  private comeBack(items: Item[]): void {
    const fresh = items.filter(
      (item) => !this.knownNumbers.has(popUpClaim(item)) && Date.parse(item.snoozedUntil ?? '') > this.backSince,
    );
    if (fresh.length === 0) return;
    for (const item of fresh) this.knownNumbers.add(popUpClaim(item));
    this.marks.begin({ returned: fresh }, this.state.unread.at);
    this.popUpAndRing(fresh);
  }

  private popUpAndRing(items: Item[]): void {
    if (this.quietNow()) return;
    this.turn.arrive(items);
    const { person, isBell } = this.initial;
    const readPreferences = () => (this.quietNow() ? null : this.state.preferences);
    const missedUpTo = () => this.missedUpTo;
    const mayRing = isBell ? () => askToRing(this.received) : undefined;
    ringFor({ person, items, missedUpTo, readPreferences, mayRing });
  }

  private withdraw(numbers: number[]): void {
    if (numbers.length === 0) return;
    const arrived = this.state.arrived.filter(({ no }) => !numbers.includes(no));
    this.change({ arrived, withdrawn: [...this.state.withdrawn, ...numbers] });
    this.turn.withdraw(numbers);
    this.marks.begin({ withdrawn: numbers });
  }

  private correct(items: Item[]): void {
    const marked = { corrected: items };
    this.change({ arrived: applyMark(this.state.arrived, marked) });
    this.turn.correct(items);
    this.marks.begin(marked);
  }

  private arrive(items: Item[]): void {
    if (items.length === 0) return;
    for (const { no } of items) this.knownNumbers.add(no);
    this.change(withArrived(this.state, items));
    this.popUpAndRing(items.filter(({ no }) => no > this.announced));
  }

  private receiveLeader({ connected, checkedAt, titlesOnly, endsSoon }: Connection): void {
    if (endsSoon && !this.state.connection.endsSoon) void this.ringOfEnd();
    this.change({ connection: { connected, checkedAt, titlesOnly, endsSoon }, sessionEnded: false });
    if (connected) recordReceived(this.initial.person, 0);
    // At the first report, because a worker that was loading heard nothing before, then every minute for a new leader.
    if (!this.leaderHeard || steadyNow() - this.soundReportedAt > soundReportMs) this.reportSound();
    this.leaderHeard = true;
  }

  // Rings once in one tab, so that somebody signs in before the portal falls silent.
  private async ringOfEnd(): Promise<void> {
    const { person, isBell } = this.initial;
    if (isBell || this.quietNow() || !(await restoreSound())) return;
    const ring = () => chime(this.state.preferences.sound, true);
    const ringAlone = (lock: Lock | null) => lock && ring() && new Promise((resolve) => setTimeout(resolve, hourMs));
    if (navigator.locks) await navigator.locks.request(`ends-soon:${person}`, { ifAvailable: true }, ringAlone);
    else ring();
  }

  private takeCount(counted: UnreadCount): void {
    noteServiceTime(counted.at);
    this.change({ unread: withCount(this.state, counted) });
  }
}
