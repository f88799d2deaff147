import { log } from '#platform/log/log.ts';
import { maxCachedSessions } from '#server/feed/session-cache.ts';

const defaultFileLimit = 1024;
const minReservedFiles = 100;
const reservedShare = 0.25;
const warnEveryMs = 60_000;

/**
 * How many streams a process with `files` file descriptors may hold open. A quarter of the files,
 * at least 100, stays free for the database, pages, polls and API calls. Never more than the
 * session cache holds.
 */
export function streamLimit(files: number): number {
  return Math.max(0, Math.min(maxCachedSessions, files - minReservedFiles, Math.floor(files * (1 - reservedShare))));
}

let limit: number | undefined;

/** How many streams this process may hold open (`streamLimit`). */
export function maxStreams(): number {
  limit ??= streamLimit(readFileLimit());
  return limit;
}

/**
 * How many files this process may open, from Node's diagnostic report, which works on every
 * platform. Node raises the soft limit to the hard limit at its start. 1,024 where no report is
 * available.
 */
export function readFileLimit(): number {
  if (!process.report) return defaultFileLimit;
  // Otherwise the report resolves the names of all peer addresses, which takes seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  return typeof soft === 'number' ? soft : defaultFileLimit;
}

let warnedAt = Number.NEGATIVE_INFINITY;

/** Logs that a stream was refused because of the limit, at most once a minute. */
export function warnStreamsFull(): void {
  const now = performance.now();
  if (now - warnedAt < warnEveryMs) return;
  warnedAt = now;
  log().warn({ maxStreams: maxStreams() }, 'the limit of open streams is reached; further portals poll every 10 s');
}

const maxPerAccount = 12;

/** Says which browser window of a session a stream rings in: `<session>:portal` or `<session>:bell:<browser>`. */
export type Ringer = string;

/**
 * The open streams of accounts. Each has a holder, such as its process. An account may have 12: the
 * next one takes the place of the oldest, because the stream of a device that vanished stays open
 * for minutes. While the sound of a stream's page is on, it has a ringer.
 */
export class AccountStreams<Holder extends object> {
  private readonly streams = new Map<number, { holder: Holder; ringer: Ringer | null }[]>();

  /** Adds a stream. Takes out the oldest one if there are too many, and returns its holder. */
  add(accountId: number, holder: Holder, ringer: Ringer | null): Holder | undefined {
    const isFull = this.listOpen(accountId).length === maxPerAccount;
    const oldest = isFull ? this.takeOldest(accountId) : undefined;
    this.streams.set(accountId, [...this.listOpen(accountId), { holder, ringer }]);
    return oldest;
  }

  takeOldest(accountId: number): Holder | undefined {
    const [oldest, ...others] = this.listOpen(accountId);
    this.keep(accountId, others);
    return oldest?.holder;
  }

  /** Returns whether the holder had a stream of the account. */
  release(accountId: number, holder: Holder, ringer: Ringer | null): boolean {
    const open = this.listOpen(accountId);
    const index = open.findIndex((one) => one.holder === holder && one.ringer === ringer);
    if (index === -1) return false;
    this.keep(accountId, open.toSpliced(index, 1));
    return true;
  }

  /**
   * Whether a bell rings in the page of another site, where it cannot see the other tabs of its
   * browser. Of one session a portal whose sound is on comes first, then the bell that opened first.
   */
  rings(accountId: number, bell: Ringer): boolean {
    const session = bell.slice(0, bell.indexOf(':') + 1);
    const ringers = this.listOpen(accountId).flatMap(({ ringer }) => (ringer?.startsWith(session) ? [ringer] : []));
    const first = ringers.find((ringer) => ringer === `${session}portal`) ?? ringers[0];
    return first === undefined || first === bell;
  }

  releaseAll(holder: Holder): void {
    for (const [accountId, open] of this.streams) {
      const others = open.filter((one) => one.holder !== holder);
      this.keep(accountId, others);
    }
  }

  private listOpen(accountId: number) {
    return this.streams.get(accountId) ?? [];
  }

  private keep(accountId: number, open: { holder: Holder; ringer: Ringer | null }[]): void {
    if (open.length > 0) this.streams.set(accountId, open);
    else this.streams.delete(accountId);
  }
}
