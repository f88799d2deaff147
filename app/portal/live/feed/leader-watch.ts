const reportIntervalMs = 3000;
const lostAfterMs = 6000;
const maxJitterMs = 1000;
const answerMs = 3000;

/**
 * Decides when a leading tab reports to the others, every 3 s, and when one of those takes the lead of a frozen one. It
 * has no timers: each method takes the current time (ms). Another tab takes the lead within 8 s of the last report: 6 s
 * of silence, up to 1 s apart from other tabs, up to 1 s until the next tick. Then it asks the service at once.
 */
export class LeaderWatch {
  private heardAt: number;
  private tickedAt: number;
  private reportedAt = Number.NEGATIVE_INFINITY;
  private jitterMs: number;
  private readonly random: () => number;

  constructor(now: number, random: () => number = Math.random) {
    this.random = random;
    this.heardAt = now;
    this.tickedAt = now;
    this.jitterMs = random() * maxJitterMs;
  }

  /** Call it once a second. After a sleep the last report is old: the leader gets time to report. */
  tick(now: number): void {
    if (now - this.tickedAt > lostAfterMs) this.heard(now);
    this.tickedAt = now;
  }

  /** The leader reported, or this tab begins or ends to lead. */
  heard(now: number): void {
    this.heardAt = now;
    this.jitterMs = this.random() * maxJitterMs;
  }

  /** The leader was asked to poll: a report must follow within 3 s. */
  expectReport(now: number): void {
    this.heardAt = Math.min(this.heardAt, now - lostAfterMs + answerMs);
  }

  isLost(now: number): boolean {
    return now - this.heardAt > lostAfterMs + this.jitterMs;
  }

  /** Whether the leader must report again, up to half a second early, because the next tick may be late. */
  isReportDue(now: number): boolean {
    return now - this.reportedAt > reportIntervalMs - 500;
  }

  reported(now: number): void {
    this.reportedAt = now;
  }
}
