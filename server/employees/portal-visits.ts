import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '#db/client.ts';
import { sql } from '#db/drizzle.cjs';
import type { Employee } from '#server/principals.ts';

/** Whether a browser plays sound: yes, after a click, muted, blocked, or not at all. */
export const soundStates = ['on', 'click', 'muted', 'blocked', 'unsupported'] as const;
export type SoundState = (typeof soundStates)[number];

type Visit = { browserId: string; sound: SoundState | null; seenAt: Date };

export type Visitor = { employee: Employee; lastVisit: Visit | null };

type QueuedVisit = Visit & { employee: Employee };

const visitsPerStatement = 1000;
// The visits of this process that are not in the database yet, by employee and browser.
let queued = new Map<string, QueuedVisit>();
let isWritingNews = false;

/**
 * Queues a visit for the next `flushVisits`, of one browser with one sound at most every 5 minutes. `sound` is null
 * while a page loads. A first visit, another browser or sound is written within 250 ms: owners look at it.
 */
export function queueVisit(visitor: Visitor, browserId: string | null, sound: SoundState | null): void {
  if (!browserId) return;
  const { employee } = visitor;
  const now = Date.now();
  const last = visitor.lastVisit?.browserId === browserId ? visitor.lastVisit : null;
  const knownSound = sound ?? last?.sound ?? null;
  if (last?.sound === knownSound && Math.abs(now - last.seenAt.getTime()) < 5 * 60 * 1000) return;
  visitor.lastVisit = { browserId, sound: knownSound, seenAt: new Date(now) };
  const visit = { ...visitor.lastVisit, employee };
  const key = keyOf(visit);
  queued.set(key, { ...visit, sound: knownSound ?? queued.get(key)?.sound ?? null });
  if (last?.sound !== knownSound || last === null) void writeNews();
}

// Four writes a second, because after a restart all portals come at once. The regular flush repeats a failed one.
async function writeNews(): Promise<void> {
  if (isWritingNews) return;
  isWritingNews = true;
  do {
    await sleep(250, undefined, { ref: false });
    const failure = await flushVisits().catch((error: unknown) => error);
    if (failure) break;
  } while (queued.size > 0);
  isWritingNews = false;
}

const keyOf = ({ employee, browserId }: QueuedVisit) => `${employee.companyId}:${employee.employeeId}:${browserId}`;

/** Writes the queued visits, 1,000 per statement; keeps 10 browsers of an employee. A failure queues them again. */
export async function flushVisits(): Promise<void> {
  const visits = [...queued.values()];
  queued = new Map();
  for (let from = 0; from < visits.length; from += visitsPerStatement)
    try {
      await writeVisits(visits.slice(from, from + visitsPerStatement));
    } catch (error) {
      // A newer visit of the same browser stays.
      for (const visit of visits.slice(from)) if (!queued.has(keyOf(visit))) queued.set(keyOf(visit), visit);
      throw error;
    }
}

// By the database's clock. Another process may have written a later visit of the same browser. As text:
// the builder has no table of JSON and no `delete using`.
async function writeVisits(visits: QueuedVisit[]): Promise<void> {
  const seen = visits.map(({ employee, browserId, sound, seenAt }) => ({
    company_id: employee.companyId,
    employee_id: employee.employeeId,
    browser_id: browserId,
    sound,
    seen_at: seenAt,
  }));
  await db().execute(sql`
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
    where old.place > 10 and p.company_id = old.company_id and p.employee_id = old.employee_id
      and p.browser_id = old.browser_id`);
}
