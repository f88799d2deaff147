import { type Fragment, inTransaction, requireRow, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { log } from '#platform/log/log.ts';
import { fromRecipients } from '#server/notifications/audience.ts';
import type { Owner } from '#server/principals.ts';
import { readAt } from '#server/sends/history/details.ts';
import { findBounds } from '#server/sends/history/send-list.ts';

/**
 * What became of the sends of a month, such as `2026-11`, and one key; `keyId` and `keyName` are
 * null for manual sends. `reach` counts people, one for each send that reached them. Of them
 * `readWithinHour` read it within an hour. `toConfirm` of them were asked to confirm, and
 * `confirmed` did. Withdrawn sends and reminders do not count.
 */
export type MonthOfSends = Omit<Sums, 'keyId'> & { month: string; keyId: number | null; keyName: string | null };

const maxStatisticsMonths = 60;

/**
 * The statistics of the owner's company for these months, the newest month first, in it most sends
 * first. Months and keys without a send are left out. At most 60, the newest.
 */
export async function listStatistics(
  { companyId }: Owner,
  { from, to }: { from: string; to: string },
): Promise<MonthOfSends[]> {
  return sql()<MonthOfSends[]>`
    select to_char(s.day, 'YYYY-MM') as month, nullif(s.key_id, 0) as "keyId", max(k.name) as "keyName",
      sum(s.sends)::int as sends, sum(s.reach)::float8 as reach, sum(s.read_within_hour)::float8 as "readWithinHour",
      sum(s.to_confirm)::float8 as "toConfirm", sum(s.confirmed)::float8 as confirmed
    from send_statistics s left join api_keys k on k.company_id = s.company_id and k.id = s.key_id
    where s.company_id = ${companyId} and s.day < (${to}::text || '-01')::date + interval '1 month'
      and s.day >= greatest((${from}::text || '-01')::date,
        (${to}::text || '-01')::date - ${maxStatisticsMonths - 1} * interval '1 month')
    group by 1, s.key_id having sum(s.sends) > 0
    order by 1 desc, sum(s.sends) desc, s.key_id`;
}

type StatisticsSpan = { first: string | null; current: string; countedAt: Date | null };

/**
 * The first month with a send in the statistics, or null, the current month in the company's time
 * zone, and when the newest days were counted, or null.
 */
export async function findStatisticsSpan({ companyId, timeZone }: Owner): Promise<StatisticsSpan> {
  return requireRow(sql()<StatisticsSpan[]>`
    select to_char(min(day) filter (where sends > 0), 'YYYY-MM') as first,
      to_char(now() at time zone ${timeZone}, 'YYYY-MM') as current, max(counted_at) as "countedAt"
    from send_statistics where company_id = ${companyId}`);
}

// The sums of one day and key; `keyId` 0 means manual sends.
type Sums = Omit<Rows['sendStatistics'], 'companyId' | 'day' | 'countedAt'>;

type DueCompany = { companyId: Rows['companies']['id']; timeZone: Rows['companies']['timeZone'] };
type CountableSend = { no: number; keyId: number; reach: number; mustConfirm: boolean };

const companiesPerRead = 500;
const maxDaysAtOnce = 100;
// One company with years of sends to many people must not keep the others waiting.
const maxMsOfCompany = 30_000;
const recountedDays = 35;
const peoplePerStatement = 100_000;
const sendsPerStatement = 5000;

/** Runs a statement that may take long, then waits; `thenPause` of the jobs. */
type Paced = <Result>(batch: () => Promise<Result>) => Promise<Result>;

/**
 * Counts the sends of all companies into `send_statistics`, for the days whose counts may have
 * changed. These are today, and yesterday until two hours after its end. Once a day they are the
 * last 35 days, for later confirmations and withdrawals. Days that were never counted follow, the
 * newest first: up to 100 in one call, and for 30 s a company. Counting a day replaces its rows, so
 * repeated and concurrent calls are safe. No statement reads more than about 100,000 recipients.
 */
export async function countStatistics(paced: Paced = (batch) => batch()): Promise<void> {
  for (let after = 0; ; ) {
    const companies = await sql()<(DueCompany & { isActive: boolean })[]>`
      select c.id as "companyId", c.time_zone as "timeZone", exists (
        select from audit_log a
        where a.company_id = c.id and a.action = 'notification.send' and a.at > now() - interval '36 days'
      ) or c.last_no > 0 and not exists (select from send_statistics s where s.company_id = c.id) as "isActive"
      from companies c where c.id > ${after} order by c.id limit ${companiesPerRead}`;
    if (companies.length === 0) return;
    for (const company of companies)
      if (company.isActive)
        await countCompany(company, paced).catch((error: unknown) =>
          log().warn({ err: error, companyId: company.companyId }, 'the sends of a company could not be counted'),
        );
    after = companies.at(-1)?.companyId ?? after;
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
  const dayOf = (time: Fragment) => sql()`((${time}) at time zone ${timeZone})::date`;
  const rows = await sql()<{ day: string }[]>`
    with first as (
      select ${dayOf(sql()`n.created_at`)} as day from notifications n where n.company_id = ${companyId}
      order by n.no limit 1
    ), kept as (
      select ${dayOf(sql()`now() - c.keep_notifications_days * interval '1 day'`)} + 1 as day
      from companies c where c.id = ${companyId}
    ), days as (
      select d::date as day from generate_series(
        (select greatest(first.day, kept.day) from first, kept)::timestamp,
        ${dayOf(sql()`now()`)}::timestamp, interval '1 day') d
    )
    select days.day::text from days
    left join send_statistics s on s.company_id = ${companyId} and s.day = days.day and s.key_id = 0
    where s.counted_at is null
      or s.counted_at < (days.day + 1)::timestamp at time zone ${timeZone} + interval '2 hours'
      or (days.day > ${dayOf(sql()`now()`)} - ${recountedDays}::int and s.counted_at < now() - interval '23 hours'
        and exists (select from send_statistics had
          where had.company_id = ${companyId} and had.day = days.day and had.sends > 0))
    order by days.day desc limit ${maxDaysAtOnce}`;
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

const noSends = { sends: 0, reach: 0, readWithinHour: 0, toConfirm: 0, confirmed: 0 };

// A reminder repeats a send that counts already, and a withdrawn send does not count.
async function listSendsOf(company: DueCompany, day: string): Promise<CountableSend[]> {
  const { companyId, timeZone } = company;
  const { above, below } = await findBounds(company, { from: day, to: day });
  const startOf = (later: number) => sql()`(${day}::date + ${later}::int)::timestamp at time zone ${timeZone}`;
  return sql()<CountableSend[]>`
    select n.no, coalesce(n.key_id, 0) as "keyId", n.reach, n.must_confirm as "mustConfirm" from notifications n
    where n.company_id = ${companyId} and n.no > ${above} and n.no < ${below}
      and n.created_at >= ${startOf(0)} and n.created_at < ${startOf(1)}
      and n.withdrawn_at is null and n.reminds_no is null
    order by n.no`;
}

// Parts of the sends with a bounded number of recipients, so that each statement stays short.
function inParts(sends: CountableSend[]): number[][] {
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

type Reactions = Pick<Sums, 'keyId' | 'readWithinHour' | 'confirmed'>;

async function countReactions({ companyId }: DueCompany, numbers: number[]): Promise<Reactions[]> {
  return sql()<Reactions[]>`
    select coalesce(n.key_id, 0) as "keyId",
      count(*) filter (where ${readAt()} <= n.created_at + interval '1 hour')::int as "readWithinHour",
      count(*) filter (where n.must_confirm and r.confirmed_at is not null)::int as confirmed
    from ${fromRecipients()} and n.company_id = ${companyId} and n.no = any(${numbers}::bigint[])
    group by n.key_id`;
}

async function store({ companyId }: DueCompany, day: string, sums: Sums[]): Promise<void> {
  const rows = JSON.stringify(sums);
  await inTransaction(async (tx) => {
    await tx`delete from send_statistics where company_id = ${companyId} and day = ${day}::date`;
    await tx`
      insert into send_statistics
        (company_id, day, key_id, sends, reach, read_within_hour, to_confirm, confirmed, counted_at)
      select ${companyId}, ${day}::date, "keyId", sends, reach, "readWithinHour", "toConfirm", confirmed, now()
      from jsonb_to_recordset(${rows}::text::jsonb) as s ("keyId" int, sends int, reach bigint,
        "readWithinHour" bigint, "toConfirm" bigint, confirmed bigint)
      on conflict (company_id, day, key_id) do update set sends = excluded.sends, reach = excluded.reach,
        read_within_hour = excluded.read_within_hour, to_confirm = excluded.to_confirm,
        confirmed = excluded.confirmed, counted_at = excluded.counted_at`;
  });
}
