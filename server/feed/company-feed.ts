import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from '#db/client.ts';
import { makePatience } from '#db/driver/deadline.ts';
import { type Announcement, asAnnouncements, concerns, type NewsRow } from '#server/feed/announcement.ts';
import { type Event, encodePing } from '#server/feed/event.ts';
import type { Remembered } from '#server/feed/remembered.ts';
import { stillCounts } from '#server/notifications/audience.ts';
import type { Employee } from '#server/principals.ts';

/** A reader of one company's news: it is handed each announcement in order, and told when to begin anew or that its session ended. */
export type Reader = {
  person: Remembered;
  take: (announcement: Announcement) => void;
  restart: () => void;
  endSession: () => void;
};

const mostRemembered = 64;
const mostAtOnce = 200;
const freshMs = 6000;
// Some 2 ms of writing: whoever asks the interface meanwhile does not notice.
const readersPerTurn = 200;

/**
 * What this process knows of one company that has portals here: its newest number, how often sessions may have ended, and
 * the last announcements. Everything between `fromNo` and `lastNo` is remembered, so "after N" can be answered without a
 * query. One statement brings the news to all readers, whatever their number.
 */
export class CompanyFeed {
  readonly readers = new Set<Reader>();
  usedAt = performance.now();
  lastNo: number;
  accessNo: number;
  private fromNo: number;
  private handed: { no: number; ping: Event };
  private remembered: Announcement[] = [];
  private checkedAt = performance.now();
  private readonly companyId: number;
  private readonly onAccessChange: (feed: CompanyFeed, accessNo: number) => Promise<void>;
  private catchingUp: Promise<void> | undefined;
  private again = false;

  constructor(
    { companyId, lastNo, accessNo }: { companyId: number; lastNo: number; accessNo: number },
    onAccessChange: (feed: CompanyFeed, accessNo: number) => Promise<void>,
  ) {
    this.companyId = companyId;
    this.lastNo = lastNo;
    this.fromNo = lastNo;
    this.handed = { no: lastNo, ping: encodePing(lastNo) };
    this.accessNo = accessNo;
    this.onAccessChange = onAccessChange;
  }

  /** Whether the database was asked lately; otherwise nothing may be answered from memory. */
  get fresh(): boolean {
    return performance.now() - this.checkedAt < freshMs;
  }

  /** The number up to which every reader was handed everything, and the ping that says so, encoded once for all. */
  get newestHanded(): { no: number; ping: Event } {
    return this.handed;
  }

  /** Notes what a look at the company's row found; true when there is news to fetch. */
  compare({ lastNo, accessNo }: { lastNo: number; accessNo: number }): boolean {
    this.checkedAt = performance.now();
    return lastNo > this.lastNo || accessNo !== this.accessNo;
  }

  /** What came after number `after` for this person, oldest first, or null when that is longer ago than remembered. */
  since(after: number, employee: Employee): Announcement[] | null {
    if (after < this.fromNo) return null;
    return this.remembered.filter((one) => one.no > after && concerns(one, employee));
  }

  /** Fetches the news and hands it to every reader. Calls during a fetch lead to one more fetch, not to one each. */
  catchUp(): Promise<void> {
    if (this.catchingUp) {
      this.again = true;
      return this.catchingUp;
    }
    this.catchingUp = this.fetchNews().finally(() => {
      this.catchingUp = undefined;
      if (this.again) {
        this.again = false;
        this.catchUp().catch(() => {});
      }
    });
    return this.catchingUp;
  }

  private async fetchNews(): Promise<void> {
    // A fetch that never ended would hold up all further ones.
    const rows = await makePatience()(
      () => sql()<NewsRow[]>`
      select c.last_no as "lastNo", c.access_no as "accessNo", n.no, n.recipient_id as "recipientId", n.title, n.body,
        n.kind, n.url, n.created_at as "createdAt", coalesce(k.name, a.name) as sender, n.account_id is not null as "byHand",
        false as read, n.must_confirm or n.reminds_no is not null as "mustConfirm", null as "confirmedAt",
        n.reminds_no as "remindsNo", n.withdraws
      from companies c
      left join lateral (
        (
          select n.no as no, null::bigint as withdraws, n.recipient_id, n.title, n.body, n.kind, n.url, n.created_at, n.key_id,
            n.account_id, n.must_confirm, n.reminds_no
          from notifications n
          where n.company_id = c.id and n.no > ${this.lastNo} and ${stillCounts()}
          order by n.no limit ${mostAtOnce + 1}
        ) union all (
          select n.withdrawn_no, n.no, n.recipient_id, n.title, n.body, n.kind, n.url, n.created_at, n.key_id,
            n.account_id, n.must_confirm, n.reminds_no
          from notifications n
          where n.company_id = c.id and n.withdrawn_no > ${this.lastNo}
          order by n.withdrawn_no limit ${mostAtOnce + 1}
        )
      ) n on true
      left join api_keys k on k.company_id = c.id and k.id = n.key_id
      left join accounts a on a.company_id = c.id and a.id = n.account_id
      where c.id = ${this.companyId} order by n.no`,
    );
    const [first] = rows;
    if (!first) return;
    this.checkedAt = performance.now();
    // Before anything is handed out: a reader whose session has ended must not get it.
    const accessChanged = first.accessNo !== this.accessNo;
    if (accessChanged) {
      await this.onAccessChange(this, first.accessNo);
      this.accessNo = first.accessNo;
      // Whoever came during the look was not looked at.
      for (const reader of [...this.readers]) if (reader.person.accessNo !== this.accessNo) reader.restart();
    }
    // Somebody may have been away in between and be back: only the query that knows the spans can say what is whose. And whom
    // a reminder to everyone is for, only the query that knows who has confirmed.
    const reminds = rows.some(({ remindsNo, recipientId }) => remindsNo !== null && recipientId === null);
    if ((accessChanged && first.no !== null) || reminds || rows.length > mostAtOnce)
      return this.startOver(first.lastNo);
    const news = asAnnouncements(rows);
    const withdrawn = new Set(news.flatMap((one) => one.withdrawn ?? []));
    this.remembered = this.remembered.filter(({ no }) => !withdrawn.has(no));
    this.remembered.push(...news);
    this.lastNo = Math.max(this.lastNo, first.lastNo);
    this.forget();
    await this.handOut(news);
  }

  private async handOut(news: Announcement[]): Promise<void> {
    let served = 0;
    for (const reader of this.readers) {
      for (const announcement of news) reader.take(announcement);
      served += 1;
      if (served % readersPerTurn === 0) await nextTurn();
    }
    this.noteHanded();
  }

  private noteHanded(): void {
    if (this.handed.no !== this.lastNo) this.handed = { no: this.lastNo, ping: encodePing(this.lastNo) };
  }

  private forget(): void {
    const dropped = this.remembered.splice(0, Math.max(0, this.remembered.length - mostRemembered));
    this.fromNo = dropped.at(-1)?.no ?? this.fromNo;
  }

  // The readers catch up each for itself.
  private startOver(lastNo: number): void {
    this.remembered = [];
    this.lastNo = lastNo;
    this.fromNo = lastNo;
    this.noteHanded();
    for (const reader of [...this.readers]) reader.restart();
  }
}
