import { sql } from '#db/client.ts';
import type { Employee } from '#server/principals.ts';

/** Whether a browser can ring: it plays, needs one click, is muted by the person, is blocked, or cannot at all. */
export const soundStates = ['on', 'click', 'muted', 'blocked', 'unsupported'] as const;
/** One of `soundStates`. */
export type SoundState = (typeof soundStates)[number];

type Visit = { browserId: string; sound: SoundState | null; seenAt: Date };

/** An employee whose browsers ask, with the visit that was noted last. */
export type Visitor = { employee: Employee; noted: Visit | null };

const mostBrowsers = 10;
const sameVisitMs = 5 * 60 * 1000;
const mostAtOnce = 1000;
let visits = new Map<string, Seen>();

/**
 * Notes that an employee's portal asked from a browser; written by the next `keepVisits`. The same browser with the same sound is
 * noted every 5 minutes: when somebody was seen is told in days.
 */
export function noteVisit(visitor: Visitor, browserId: string | null, sound: SoundState | null): void {
  if (!browserId) return;
  const { employee, noted } = visitor;
  const now = Date.now();
  const same = noted?.browserId === browserId && noted.sound === sound;
  if (same && Math.abs(now - noted.seenAt.getTime()) < sameVisitMs) return;
  visitor.noted = { browserId, sound, seenAt: new Date(now) };
  visits.set(nameOf(employee, visitor.noted), { employee, visit: visitor.noted });
}

/**
 * Writes down who was seen since the last time, by the database's clock, a thousand a statement; of each person the 10 latest browsers are kept. Another
 * process may have written a later visit of the same browser already.
 */
export async function keepVisits(): Promise<void> {
  const seen = [...visits.values()];
  visits = new Map();
  for (let from = 0; from < seen.length; from += mostAtOnce)
    try {
      await writeVisits(seen.slice(from, from + mostAtOnce));
    } catch (error) {
      takeBack(seen.slice(from));
      throw error;
    }
}

type Seen = { employee: Employee; visit: Visit };

const nameOf = ({ companyId, employeeId }: Employee, { browserId }: Visit) => `${companyId}:${employeeId}:${browserId}`;

// For the next time, unless something newer was noted since.
function takeBack(some: Seen[]): void {
  for (const one of some) {
    const name = nameOf(one.employee, one.visit);
    if (!visits.has(name)) visits.set(name, one);
  }
}

async function writeVisits(some: Seen[]): Promise<void> {
  const seen = some.map(({ employee: { companyId, employeeId }, visit: { browserId, sound, seenAt } }) => ({
    ...{ company_id: companyId, employee_id: employeeId },
    ...{ browser_id: browserId, sound, seen_at: seenAt },
  }));
  await sql()`
    with seen as (
      select * from jsonb_to_recordset(${JSON.stringify(seen)}::text::jsonb)
        as s (company_id int, employee_id int, browser_id uuid, sound text, seen_at timestamptz)
    ), clock as (
      select now() - ${new Date().toISOString()}::text::timestamptz as ahead
    ), kept as (
      insert into portals as old (company_id, employee_id, browser_id, sound, seen_at)
      select company_id, employee_id, browser_id, sound, seen_at + ahead from seen, clock order by 1, 2, 3
      on conflict (company_id, employee_id, browser_id) do update set
        sound = case when excluded.seen_at >= old.seen_at
          then coalesce(excluded.sound, old.sound) else coalesce(old.sound, excluded.sound) end,
        seen_at = greatest(old.seen_at, excluded.seen_at)
    )
    delete from portals p using (
      select p.company_id, p.employee_id, p.browser_id,
        row_number() over (partition by p.company_id, p.employee_id order by p.seen_at desc) as place
      from portals p
      where (p.company_id, p.employee_id) in (select company_id, employee_id from seen)
    ) old
    where old.place > ${mostBrowsers} and p.company_id = old.company_id and p.employee_id = old.employee_id
      and p.browser_id = old.browser_id`;
}
