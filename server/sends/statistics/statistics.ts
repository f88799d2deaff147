import { db, deleteRows, inTransaction, isAnyOf, type Rows, requireRow } from '#db/client.ts';
import { and, type Column, desc, eq, exists, gt, isNull, lt, max, notExists, or, type SQL, sql } from '#db/drizzle.cjs';
import { apiKeys, auditLog, companies, sendStatistics } from '#db/schema/tables.ts';
import { warnOf } from '#platform/log/log.ts';
import { fromRecipients, hasAsked, n, r } from '#server/notifications/audience.ts';
import type { Owner } from '#server/principals.ts';
import { readAt } from '#server/sends/history/details.ts';
import { findBounds } from '#server/sends/history/send-list.ts';

/**
 * The sends of a month, such as `2026-11`, and one key (null: manual sends). `reach` counts people, one for each send
 * that reached them; of them `readWithinHour` read it within an hour, `toConfirm` were asked and `confirmed` did.
 * Withdrawn sends and reminders do not count.
 */
export type MonthOfSends = Omit<Sums, 'keyId'> & { month: string; keyId: number | null; keyName: string | null };

const maxStatisticsMonths = 60;

/** The statistics of these months, the newest first, in them most sends first; at most 60 months. */
export async function listStatistics({ companyId }: Owner, { from, to }: { from: string; to: string }) {
  const { keyId, day, reach, readWithinHour, toConfirm, confirmed } = sendStatistics;
  const month = sql<string>`to_char(${day}, 'YYYY-MM')`.as('month');
  const sends = sql<number>`sum(${sendStatistics.sends})::int`;
  const sumOf = (column: Column) => sql<number>`sum(${column})::float8`;
  const firstOf = (month: string) => sql`(${month}::text || '-01')::date`;
  const isInMonths = sql`${day} < ${firstOf(to)} + interval '1 month'
    and ${day} >= greatest(${firstOf(from)}, ${firstOf(to)} - ${maxStatisticsMonths - 1} * interval '1 month')`;
  return db()
    .select({
      month,
      keyId: sql<number | null>`nullif(${keyId}, 0)`,
      keyName: max(apiKeys.name),
      sends,
      reach: sumOf(reach),
      readWithinHour: sumOf(readWithinHour),
      toConfirm: sumOf(toConfirm),
      confirmed: sumOf(confirmed),
    })
    .from(sendStatistics)
    .leftJoin(apiKeys, and(eq(apiKeys.companyId, companyId), eq(apiKeys.id, keyId)))
    .where(and(eq(sendStatistics.companyId, companyId), isInMonths))
    .groupBy(month, keyId)
    .having(gt(sends, 0))
    .orderBy(desc(month), desc(sends), keyId);
}

/** The first month with a send, or null, the current one in the company's zone, and when the newest was counted. */
export async function findStatisticsSpan({ companyId, timeZone }: Owner) {
  const { day, sends, countedAt } = sendStatistics;
  const first = sql<string | null>`to_char(min(${day}) filter (where ${sends} > 0), 'YYYY-MM')`;
  const current = sql<string>`to_char(now() at time zone ${timeZone}, 'YYYY-MM')`;
  const ofCompany = eq(sendStatistics.companyId, companyId);
  const span = { first, current, countedAt: max(countedAt) };
  return requireRow(db().select(span).from(sendStatistics).where(ofCompany));
}

// The sums of one day and key; `keyId` 0 means manual sends.
type Sums = Omit<Rows['sendStatistics'], 'companyId' | 'day' | 'countedAt'>;

type DueCompany = Pick<Owner, 'companyId' | 'timeZone'>;

// One company with years of sends to many people must not keep the others waiting.
const maxMsOfCompany = 30_000;
const peoplePerStatement = 100_000;
const sendsPerStatement = 5000;

/** Runs a statement that may take long, then waits; `thenPause` of the jobs. */
type Paced = <Result>(batch: () => Promise<Result>) => Promise<Result>;

/**
 * Counts the sends of all companies into `send_statistics`: today, yesterday until two hours after its end, once a day
 * the last 35 days, for later confirmations and withdrawals, then days that were never counted, up to 100 and 30 s a
 * company in one call. A count replaces the rows of its day, so repeated and concurrent calls are safe. No statement
 * reads more than about 100,000 recipients.
 */
export async function countStatistics(paced: Paced = (batch) => batch()): Promise<void> {
  const { id: company, lastNo } = companies;
  const isSend = and(eq(auditLog.action, 'notification.send'), sql`${auditLog.at} > now() - interval '36 days'`);
  const areSends = and(eq(auditLog.companyId, company), isSend);
  const sent = db().select({ id: auditLog.id }).from(auditLog).where(areSends);
  const ofCompany = eq(sendStatistics.companyId, company);
  const counted = db().select({ day: sendStatistics.day }).from(sendStatistics).where(ofCompany);
  const isActive = sql<boolean>`${or(exists(sent), and(sql`${lastNo} > 0`, notExists(counted)))}`;
  for (let after = 0; ; ) {
    const page = await db()
      .select({ companyId: companies.id, timeZone: companies.timeZone, isActive })
      .from(companies)
      .where(gt(companies.id, after))
      .orderBy(companies.id)
      .limit(500);
    if (page.length === 0) return;
    for (const company of page)
      if (company.isActive)
        await countCompany(company, paced).catch(
          warnOf('the sends of a company could not be counted', { companyId: company.companyId }),
        );
    after = page.at(-1)?.companyId ?? after;
  }
}

/** Counts the due days of one company, the newest first: at least one, then for up to 30 s. */
export async function countCompany(company: DueCompany, paced: Paced = (batch) => batch()): Promise<void> {
  const until = performance.now() + maxMsOfCompany;
  for (const day of await listDueDays(company)) {
    await countDay(company, day, paced);
    if (performance.now() > until) return;
  }
}

// Each counted day has a row of key 0, also without a send, so that it is not counted again. A day
// that is over and had no send gets none later. Days whose sends may be deleted already do not count.
async function listDueDays({ companyId, timeZone }: DueCompany): Promise<string[]> {
  const dayOf = (time: SQL) => sql`((${time}) at time zone ${timeZone})::date`;
  // As text: a report of several steps.
  const rows = await db().execute<{ day: string }>(sql`
    with first as (
      select ${dayOf(sql`n.created_at`)} as day from notifications n where n.company_id = ${companyId}
      order by n.no limit 1
    ), kept as (
      select ${dayOf(sql`now() - c.keep_notifications_days * interval '1 day'`)} + 1 as day
      from companies c where c.id = ${companyId}
    ), days as (
      select d::date as day from generate_series(
        (select greatest(first.day, kept.day) from first, kept)::timestamp,
        ${dayOf(sql`now()`)}::timestamp, interval '1 day') d
    )
    select days.day::text from days
    left join send_statistics s on s.company_id = ${companyId} and s.day = days.day and s.key_id = 0
    where s.counted_at is null
      or s.counted_at < (days.day + 1)::timestamp at time zone ${timeZone} + interval '2 hours'
      or (days.day > ${dayOf(sql`now()`)} - 35 and s.counted_at < now() - interval '23 hours'
        and exists (select from send_statistics had
          where had.company_id = ${companyId} and had.day = days.day and had.sends > 0))
    order by days.day desc limit 100`);
  return rows.map(({ day }) => day);
}

async function countDay(company: DueCompany, day: string, paced: Paced): Promise<void> {
  const sums = new Map<number, Sums>([[0, { keyId: 0, ...noSends }]]);
  const sends = await listSendsOf(company, day);
  for (const { keyId, reach, mustConfirm } of sends) {
    const sum = sums.get(keyId) ?? { keyId, ...noSends };
    sum.sends++;
    sum.reach += reach;
    if (mustConfirm) sum.toConfirm += reach;
    sums.set(keyId, sum);
  }
  for (const numbers of inParts(sends))
    for (const { keyId, readWithinHour, confirmed } of await paced(() => countReactions(company, numbers))) {
      const sum = sums.get(keyId);
      if (!sum) continue;
      sum.readWithinHour += readWithinHour;
      sum.confirmed += confirmed;
    }
  await store(company, day, [...sums.values()]);
}

const keyIdOrZero = sql<number>`coalesce(${n.keyId}, 0)`;

const noSends = { sends: 0, reach: 0, readWithinHour: 0, toConfirm: 0, confirmed: 0 };

// A reminder repeats a send that counts already, and a withdrawn send does not count.
async function listSendsOf(company: DueCompany, day: string) {
  const { companyId, timeZone } = company;
  const { above, below } = await findBounds(company, { from: day, to: day });
  const startOf = (later: number) => sql`(${day}::date + ${later}::int)::timestamp at time zone ${timeZone}`;
  const { no, createdAt, reach } = n;
  const isOfDay = sql`${createdAt} >= ${startOf(0)} and ${createdAt} < ${startOf(1)}`;
  const isInside = and(gt(no, above), lt(no, below), isOfDay);
  return db()
    .select({ no, keyId: keyIdOrZero, reach, mustConfirm: hasAsked })
    .from(n)
    .where(and(eq(n.companyId, companyId), isInside, isNull(n.withdrawnAt), isNull(n.remindsNo)))
    .orderBy(no);
}

// Parts of the sends with a bounded number of recipients, so that each statement stays short.
function inParts(sends: { no: number; reach: number }[]): number[][] {
  const parts: number[][] = [];
  let people = Number.POSITIVE_INFINITY;
  for (const { no, reach } of sends) {
    if (reach === 0) continue;
    if (people + reach > peoplePerStatement || (parts.at(-1)?.length ?? 0) >= sendsPerStatement) {
      parts.push([]);
      people = 0;
    }
    people += reach;
    parts.at(-1)?.push(no);
  }
  return parts;
}

async function countReactions({ companyId }: DueCompany, numbers: number[]) {
  const fields = {
    keyId: keyIdOrZero,
    readWithinHour: sql<number>`count(*) filter (where ${readAt} <= ${n.createdAt} + interval '1 hour')::int`,
    confirmed: sql<number>`count(*) filter (where ${hasAsked} and ${r.confirmedAt} is not null)::int`,
  };
  const ofSends = and(eq(n.companyId, companyId), isAnyOf(n.no, numbers));
  return fromRecipients(db().select(fields).from(n).$dynamic(), ofSends).groupBy(n.keyId);
}

async function store({ companyId }: DueCompany, day: string, sums: Sums[]): Promise<void> {
  await inTransaction(async (tx) => {
    await deleteRows(db(tx), sendStatistics, { companyId, day });
    // As text: the rows are one parameter.
    await db(tx).execute(sql`
      insert into send_statistics
        (company_id, day, key_id, sends, reach, read_within_hour, to_confirm, confirmed, counted_at)
      select ${companyId}, ${day}::date, "keyId", sends, reach, "readWithinHour", "toConfirm", confirmed, now()
      from jsonb_to_recordset(${JSON.stringify(sums)}::text::jsonb) as s ("keyId" int, sends int, reach bigint,
        "readWithinHour" bigint, "toConfirm" bigint, confirmed bigint)
      on conflict (company_id, day, key_id) do update set sends = excluded.sends, reach = excluded.reach,
        read_within_hour = excluded.read_within_hour, to_confirm = excluded.to_confirm,
        confirmed = excluded.confirmed, counted_at = excluded.counted_at`);
  });
}
