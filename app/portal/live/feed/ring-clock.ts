const pollMs = 10_000;
const pollJitterMs = 1000;
const retryMs = 4000;
const pollBesideStreamMs = 60_000;
const silentMs = 10_000;
const sleptMs = 15_000;
const firstPauseMs = 1000;
const longestPauseMs = 10_000;
const blockedPauseMs = 60_000;

/** What is to be done at one tick. */
export type Todo = { ask: boolean; openStream: boolean; closeStream: boolean; slept: boolean };

/**
 * When to ask and when to hold a stream, as a function of the times it is told: no timers of its own. The poll every 10 s is the
 * ground; while the stream gives a sign of life at least every 10 s (the service pings every 8 s), one a minute is enough. From
 * the last sign of a stream that broke silently to the next question it is never more than 11 s, half of the promise.
 */
export class RingClock {
  private nextPollAt: number;
  private nextStreamAt: number;
  private stream: 'none' | 'opening' | 'alive' = 'none';
  private heardAt = 0;
  private failures = 0;
  private tickedAt: number;
  private readonly random: () => number;

  constructor(now: number, random: () => number = Math.random) {
    this.random = random;
    this.tickedAt = now;
    this.nextPollAt = now;
    this.nextStreamAt = now;
  }

  /** Called about once a second. A gap since the last call means that the machine slept: everything is asked anew. */
  tick(now: number): Todo {
    const slept = now - this.tickedAt > sleptMs;
    this.tickedAt = now;
    if (slept) this.wake(now);
    const silent = this.stream !== 'none' && now - this.heardAt > silentMs;
    const closeStream = silent || (slept && this.stream !== 'none');
    if (closeStream) this.streamSilent(now);
    const ask = now >= this.nextPollAt;
    const openStream = this.stream === 'none' && now >= this.nextStreamAt;
    if (openStream) {
      this.stream = 'opening';
      this.heardAt = now;
    }
    if (ask) this.nextPollAt = now + this.pollPause();
    return { ask, openStream, closeStream, slept };
  }

  /** The person looks, or the network is back: look at once. */
  wake(now: number): void {
    this.nextPollAt = now;
    this.nextStreamAt = Math.min(this.nextStreamAt, now);
  }

  /** Bytes came over the stream. */
  streamHeard(now: number): void {
    if (this.stream === 'none') return;
    const begins = this.stream !== 'alive';
    this.stream = 'alive';
    this.heardAt = now;
    this.failures = 0;
    if (begins) this.nextPollAt = now + this.pollPause();
  }

  /** The stream ended: as planned (open the next one, after `waitMs` if the service asked for it) or by a fault. */
  streamEnded(now: number, { planned, waitMs }: { planned: boolean; waitMs: number | null }): void {
    if (this.stream === 'none') return;
    this.stream = 'none';
    if (planned) {
      this.nextStreamAt = now + (waitMs ?? this.random() * 500);
      if (waitMs !== null) this.nextPollAt = Math.min(this.nextPollAt, now + waitMs);
      return;
    }
    this.failures += 1;
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (this.failures - 1));
    this.nextStreamAt = now + (waitMs ?? pause * (0.5 + this.random() / 2));
    this.nextPollAt = Math.min(this.nextPollAt, now + pause);
  }

  /** A question was not answered: ask again sooner. */
  pollFailed(now: number): void {
    this.nextPollAt = now + retryMs * (0.75 + this.random() / 2);
  }

  /** There is more than fitted into one answer. */
  pollAgain(now: number): void {
    this.nextPollAt = now;
  }

  private pollPause(): number {
    if (this.stream === 'alive') return pollBesideStreamMs * (1 - this.random() / 10);
    return pollMs + (this.random() * 2 - 1) * pollJitterMs;
  }

  private streamSilent(now: number): void {
    const neverHeard = this.stream === 'opening';
    this.stream = 'none';
    // Something on the way collects the stream: the poll carries, and the stream is tried now and then.
    if (neverHeard) this.failures += 1;
    this.nextStreamAt = now + (neverHeard ? Math.min(5, this.failures) * blockedPauseMs : 0);
    this.nextPollAt = Math.min(this.nextPollAt, now);
  }
}
