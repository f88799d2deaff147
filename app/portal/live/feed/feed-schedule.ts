const pollIntervalMs = 10_000;
const pollJitterMs = 1000;
const pollRetryMs = 4000;
const pollBesideStreamMs = 60_000;
const streamSilenceMs = 10_000;
const sleepGapMs = 15_000;
const minReconnectMs = 1000;
const maxReconnectMs = 10_000;
const heldBackStreamMs = 60_000;

/** How a stream ended. `planned`: by the service, not by a fault. `waitMs`: the pause that the service asked for. */
export type StreamEnd = { planned: boolean; waitMs: number | null };

/**
 * Decides when to poll and when to open a stream. It has no timers: each method takes the current time (ms). It polls
 * every 10 s, and once a minute while the stream is alive. The service pings a stream every 8 s, so one that is silent
 * for 10 s counts as broken. A poll then follows at most 11 s after its last sign: half of the promised 20 s.
 */
export class FeedSchedule {
  private nextPollAt: number;
  // The next poll was asked for, or repeats one that failed. A stream that opens does not postpone it.
  private pollOwed = false;
  private nextStreamAt: number;
  private stream: 'none' | 'opening' | 'alive' = 'none';
  private streamActiveAt = 0;
  private failures = 0;
  private tickedAt: number;
  private readonly random: () => number;

  constructor(now: number, random: () => number = Math.random) {
    this.random = random;
    this.tickedAt = now;
    this.nextPollAt = now;
    this.nextStreamAt = now;
  }

  /** Call it once a second: after a gap of 15 s the machine slept, and everything is due. */
  tick(now: number) {
    const slept = now - this.tickedAt > sleepGapMs;
    this.tickedAt = now;
    if (slept) this.wake(now);
    const silent = this.stream !== 'none' && now - this.streamActiveAt > streamSilenceMs;
    const closeStream = silent || (slept && this.stream !== 'none');
    if (closeStream) this.streamSilent(now);
    const poll = now >= this.nextPollAt;
    const openStream = this.stream === 'none' && now >= this.nextStreamAt;
    if (openStream) {
      this.stream = 'opening';
      this.streamActiveAt = now;
    }
    if (poll) {
      this.nextPollAt = now + this.pollPause();
      this.pollOwed = false;
    }
    return { poll, openStream, closeStream };
  }

  wake(now: number): void {
    this.pollAgain(now);
    this.nextStreamAt = Math.min(this.nextStreamAt, now);
  }

  streamActive(now: number): void {
    if (this.stream === 'none') return;
    const begins = this.stream !== 'alive';
    this.stream = 'alive';
    this.streamActiveAt = now;
    this.failures = 0;
    if (begins && !this.pollOwed) this.nextPollAt = now + this.pollPause();
  }

  streamEnded(now: number, { planned, waitMs }: StreamEnd): void {
    if (this.stream === 'none') return;
    this.stream = 'none';
    if (planned) {
      this.nextStreamAt = now + (waitMs ?? this.random() * 500);
      if (waitMs !== null) this.nextPollAt = Math.min(this.nextPollAt, now + waitMs);
      return;
    }
    this.failures += 1;
    const pause = Math.min(maxReconnectMs, minReconnectMs * 2 ** (this.failures - 1));
    this.nextStreamAt = now + (waitMs ?? pause * (0.5 + this.random() / 2));
    this.nextPollAt = Math.min(this.nextPollAt, now + pause);
  }

  /** A poll failed: the next one is due in 3 to 5 s. */
  pollFailed(now: number): void {
    this.nextPollAt = now + pollRetryMs * (0.75 + this.random() / 2);
    this.pollOwed = true;
  }

  /** The answer of a poll was full, or a further one was asked for: the next one is due now. */
  pollAgain(now: number): void {
    this.nextPollAt = now;
    this.pollOwed = true;
  }

  private pollPause(): number {
    if (this.stream === 'alive') return pollBesideStreamMs * (1 - this.random() / 10);
    return pollIntervalMs + (this.random() * 2 - 1) * pollJitterMs;
  }

  private streamSilent(now: number): void {
    const neverActive = this.stream === 'opening';
    this.stream = 'none';
    // A proxy holds the stream back. Polling carries on, and the stream is tried again after 1 to 5 minutes.
    if (neverActive) this.failures += 1;
    this.nextStreamAt = now + (neverActive ? Math.min(5, this.failures) * heldBackStreamMs : 0);
    this.nextPollAt = Math.min(this.nextPollAt, now);
  }
}
