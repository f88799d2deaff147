import { setImmediate as nextTurn } from 'node:timers/promises';
import { cacheStatement, db, isAnyOf, sql, withDeadline } from '#db/client.ts';
import { and, eq, sql as expression } from '#db/drizzle.cjs';
import { notificationPeople } from '#db/schema/tables.ts';
import type { Moved } from '#db/wake-ups.ts';
import {
  type Announcement,
  asAnnouncements,
  encodePing,
  type FeedRow,
  isAddressedTo,
  isToEveryone,
  type Lists,
  type StreamEvent,
} from '#server/feed/announcement.ts';
import { asks, stillCounts } from '#server/notifications/audience.ts';
import { asColumns, shownFields } from '#server/notifications/shown.ts';
import type { Employee } from '#server/principals.ts';

/** A company's counters: `lastNo` is its newest number, `accessNo` its access number. */
export type Counters = { lastNo: number; accessNo: number };

/** The session of a feed's reader. Since `activeFromNo` the employee had been active when it was checked. */
export type FeedSession = Counters & {
  activeFromNo: number;
  employee: Employee;
  accountId: number;
  sessionId: number;
  sessionVersion: number;
  /** The origin of the page around a bell; null for the portal. */
  bellOrigin: string | null;
  bellId: number | null;
};

/**
 * A reader of a feed. `deliverMoved`: what its person moved on another device. `end`: the client reconnects and resumes
 * by number, unless `lastEvent` says that its session has ended.
 */
export type FeedSubscriber = {
  readonly session: FeedSession;
  deliver: (announcement: Announcement) => void;
  deliverMoved: (text: string) => void;
  end: (lastEvent?: StreamEvent) => void;
};

/** Runs when sessions of the company may have ended. */
export type OnAccessChange = (feed: CompanyFeed, accessNo: number) => Promise<void>;

export const maxCached = 64;
// What is older may have been read on another device.
const maxCachedMs = 60_000;
const maxPerUpdate = 200;
// About 2 ms of writing, so that API calls are not delayed.
const subscribersPerTurn = 200;

// As text: a union of laterals, read after each send of a company.
const selectNew = cacheStatement<{ companyId: number; lastNo: number }, FeedRow>(
  ({ companyId, lastNo }) => expression`
  select c.last_no as "lastNo", c.access_no as "accessNo", n.feed_no as no, n.recipient_id as "recipientId",
    (extract(epoch from now() - n.created_at) * 1000)::float as "ageMs",
    n.is_listed as "isListed", ${asColumns(shownFields)}, false as read,
    ${asks} as "mustConfirm", null as "confirmedAt", null as answer,
    n.withdrawn as "withdrawnNo", n.corrected as "correctedNo"
  from companies c
  left join lateral (
    (
      select n.no as feed_no, null::bigint as withdrawn, null::bigint as corrected, n.* from notifications n
      where n.company_id = c.id and n.no > ${lastNo} and ${stillCounts}
      order by n.no limit ${maxPerUpdate + 1}
    ) union all (
      select n.withdrawal_no, n.no, null, n.* from notifications n
      where n.company_id = c.id and n.withdrawal_no > ${lastNo}
      order by n.withdrawal_no limit ${maxPerUpdate + 1}
    ) union all (
      select n.correction_no, null, n.no, n.* from notifications n
      where n.company_id = c.id and n.correction_no > ${lastNo} and ${stillCounts}
      order by n.correction_no limit ${maxPerUpdate + 1}
    )
  ) n on true
  left join api_keys sender_key on sender_key.company_id = c.id and sender_key.id = n.key_id
  left join accounts sender_account on sender_account.company_id = c.id and sender_account.id = n.account_id
  where c.id = ${companyId} order by n.feed_no`,
);

/** A company's feed in this process. What was announced after `cachedFromNo` is cached and needs no query. */
export class CompanyFeed {
  readonly companyId: number;
  readonly subscribers = new Set<FeedSubscriber>();
  usedAt = performance.now();
  /** Resolves when the feed has what was sent before it began. */
  begun: Promise<void> | undefined;
  lastNo: number;
  accessNo: number;
  /** The number up to which all subscribers have everything, and the ping that says so. */
  newestDelivered: { no: number; ping: StreamEvent };
  private cachedFromNo: number;
  private cached: Announcement[] = [];
  private checkedAt = performance.now();
  private readonly onAccessChange: OnAccessChange;
  private updating: Promise<void> | undefined;
  private isUpdateRequested = false;

  constructor(companyId: number, { lastNo, accessNo }: Counters, onAccessChange: OnAccessChange) {
    this.companyId = companyId;
    this.lastNo = lastNo;
    this.cachedFromNo = lastNo;
    this.newestDelivered = { no: lastNo, ping: encodePing(lastNo) };
    this.accessNo = accessNo;
    this.onAccessChange = onAccessChange;
  }

  /** Whether the database was read in the last 6 s. Otherwise the cache may not be used. */
  get isFresh(): boolean {
    return performance.now() - this.checkedAt < 6000;
  }

  /** Records counters from the database. Returns whether the feed is behind them. */
  recordCheck({ lastNo, accessNo }: Counters): boolean {
    this.checkedAt = performance.now();
    return lastNo > this.lastNo || accessNo !== this.accessNo;
  }

  deliverMoved({ employeeId, sessionId, text }: Moved): void {
    for (const subscriber of this.subscribers) {
      const { session } = subscriber;
      if (session.employee.employeeId === employeeId && session.sessionId !== sessionId) subscriber.deliverMoved(text);
    }
  }

  /** Lists the announcements for an employee after a number; null when the cache starts later. */
  listSince(after: number, employee: Employee): Announcement[] | null {
    this.trimCache();
    if (after < this.cachedFromNo) return null;
    return this.cached.filter((announcement) => announcement.no > after && isAddressedTo(announcement, employee));
  }

  /** Reads and delivers new announcements. Calls during an update cause one further update. */
  update(): Promise<void> {
    if (this.updating) {
      this.isUpdateRequested = true;
      return this.updating;
    }
    this.updating = this.fetchAndDeliver().finally(() => {
      this.updating = undefined;
      if (this.isUpdateRequested) {
        this.isUpdateRequested = false;
        this.update().catch(() => {});
      }
    });
    return this.updating;
  }

  private async fetchAndDeliver(): Promise<void> {
    const { companyId, lastNo } = this;
    // The deadline matters: an update that never ended would block all later ones.
    const rows = await withDeadline(() => selectNew(sql(), { companyId, lastNo }, null));
    const [first] = rows;
    if (!first) return;
    this.checkedAt = performance.now();
    const accessChanged = first.accessNo !== this.accessNo;
    // Before the delivery: a session that has ended must get nothing.
    if (accessChanged) await this.checkSessions(first.accessNo);
    // Only the inbox query knows who was inactive in between, and who must still confirm.
    const remindsAll = rows.some((row) => row.remindsNo !== null && isToEveryone(row));
    if ((accessChanged && first.no !== null) || remindsAll || rows.length > maxPerUpdate)
      return this.reset(first.lastNo);
    const announcements = asAnnouncements(rows, await this.fetchLists(rows));
    const withdrawn = new Set(announcements.flatMap((announcement) => announcement.withdrawn ?? []));
    this.cached = this.cached.filter(({ no }) => !withdrawn.has(no));
    this.cached.push(...announcements);
    this.lastNo = Math.max(this.lastNo, first.lastNo);
    this.trimCache();
    // The cache has the former text. Subscribers that are behind read the database.
    if (announcements.some(({ corrected }) => corrected)) {
      this.cached = [];
      this.cachedFromNo = this.lastNo;
    }
    await this.deliver(announcements);
  }

  // The recipients of a send never change.
  private async fetchLists(rows: FeedRow[]): Promise<Lists> {
    const numbers = rows.flatMap(({ isListed, withdrawnNo, correctedNo, no }) =>
      isListed ? (withdrawnNo ?? correctedNo ?? no ?? []) : [],
    );
    if (numbers.length === 0) return new Map();
    const { companyId, no, employeeId } = notificationPeople;
    const ids = expression<number[]>`array_agg(${employeeId} order by ${employeeId})`;
    const ofSends = and(eq(companyId, this.companyId), isAnyOf(no, numbers));
    const lists = await withDeadline(async () =>
      db().select({ no, ids }).from(notificationPeople).where(ofSends).groupBy(no),
    );
    return new Map(lists.map(({ no, ids }) => [no, Int32Array.from(ids)]));
  }

  private async checkSessions(accessNo: number): Promise<void> {
    await this.onAccessChange(this, accessNo);
    this.accessNo = accessNo;
    // Those that subscribed during the check were not checked.
    for (const subscriber of [...this.subscribers]) if (subscriber.session.accessNo !== accessNo) subscriber.end();
  }

  private async deliver(announcements: Announcement[]): Promise<void> {
    let served = 0;
    for (const subscriber of this.subscribers) {
      for (const announcement of announcements) subscriber.deliver(announcement);
      served += 1;
      if (served % subscribersPerTurn === 0) await nextTurn();
    }
    this.markDelivered();
  }

  private markDelivered(): void {
    const { lastNo } = this;
    if (this.newestDelivered.no !== lastNo) this.newestDelivered = { no: lastNo, ping: encodePing(lastNo) };
  }

  private trimCache(): void {
    const oldest = performance.now() - maxCachedMs;
    const old = this.cached.findLastIndex(({ announcedAt }) => announcedAt < oldest) + 1;
    const dropped = this.cached.splice(0, Math.max(old, this.cached.length - maxCached));
    this.cachedFromNo = dropped.at(-1)?.no ?? this.cachedFromNo;
  }

  // Empties the cache. Each subscriber reconnects and reads what it missed from the database.
  private reset(lastNo: number): void {
    this.cached = [];
    this.lastNo = lastNo;
    this.cachedFromNo = lastNo;
    this.markDelivered();
    for (const subscriber of [...this.subscribers]) subscriber.end();
  }
}
