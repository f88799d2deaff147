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
 * Counts the open streams of accounts; an account may have 12. Each stream has a holder, such as
 * its process, so that all streams of an ended process can be released, and a ringer while its sound is on.
 */
export class AccountStreams {
  private readonly streams = new Map<number, { ringer: Ringer | null; holder: unknown }[]>();

  /** Counts another stream, if the account may open one. */
  take(accountId: number, ringer: Ringer | null, holder?: unknown): boolean {
    const open = this.listOpen(accountId);
    if (open.length >= maxPerAccount) return false;
    this.streams.set(accountId, [...open, { ringer, holder }]);
    return true;
  }

  release(accountId: number, ringer: Ringer | null, holder?: unknown): void {
    const open = this.listOpen(accountId);
    const index = open.findIndex((one) => one.holder === holder && one.ringer === ringer);
    this.keep(accountId, index === -1 ? open : open.toSpliced(index, 1));
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

  releaseAll(holder: unknown): void {
    for (const [accountId, open] of this.streams) {
      const others = open.filter((one) => one.holder !== holder);
      this.keep(accountId, others);
    }
  }

  private listOpen(accountId: number) {
    return this.streams.get(accountId) ?? [];
  }

  private keep(accountId: number, open: { ringer: Ringer | null; holder: unknown }[]): void {
    if (open.length > 0) this.streams.set(accountId, open);
    else this.streams.delete(accountId);
  }
}

/** Who counts the streams of accounts: this process, or one that counts for several. */
type AccountStreamCounter = {
  take: (accountId: number, ringer: Ringer | null) => boolean | Promise<boolean>;
  release: (accountId: number, ringer: Ringer | null) => void;
  rings: (accountId: number, bell: Ringer) => boolean | Promise<boolean>;
};

let accountStreams: AccountStreamCounter = new AccountStreams();

/** Makes another process count. Call it before the first stream. */
export function countAccountStreamsBy(counter: AccountStreamCounter): void {
  accountStreams = counter;
}

/** Who counts the streams of accounts for this process. */
export const accountStreamCounter = (): AccountStreamCounter => accountStreams;
