import { createHash } from 'node:crypto';
import { db } from '#db/client.ts';
import { eq, sql } from '#db/drizzle.cjs';
import { limitCounters } from '#db/schema/tables.ts';

const minutesOf = { minute: 1, hour: 60, day: 1440 } as const;

/** How often something may be done in a window. A window begins with its first use. */
type Budget = Partial<Record<keyof typeof minutesOf, number>>;
type Scope = 'account' | 'company' | 'address' | 'invitation';

/**
 * What people may do, and how often. 500 people stay far below on their busiest day, and one account never uses up what
 * its company may do. docs/security.md prints this table.
 */
export const limits = {
  // What an owner or manager changes, unless it has a row of its own.
  change: { account: { minute: 120, hour: 3000 }, company: { hour: 9000 } },
  // Up to 200 people at once: links, roles, activity, decisions about requests.
  bulk: { account: { minute: 20, hour: 120 }, company: { hour: 360 } },
  // Lists to import (1 MiB), logos and pictures.
  upload: { account: { minute: 20, hour: 60 }, company: { hour: 120, day: 300 } },
  // To one person; also corrections.
  send: { account: { minute: 20, hour: 300 }, company: { hour: 900 } },
  // To several people or everyone.
  broadcast: { account: { minute: 10, hour: 60 }, company: { hour: 180 } },
  // Planned sends, rules and templates.
  draft: { account: { minute: 20, hour: 300 }, company: { hour: 900 } },
  // Links for one person.
  invitation: { account: { minute: 30, hour: 600 }, company: { hour: 1800 } },
  joinLink: { account: { minute: 10, hour: 30 }, company: { hour: 90 } },
  key: { account: { minute: 20, hour: 60 }, company: { hour: 180 } },
  export: { account: { hour: 5, day: 10 }, company: { day: 30 } },
  download: { account: { minute: 120, hour: 600 }, company: { hour: 1800 } },
  testPush: { account: { minute: 6, hour: 60 }, company: { hour: 180 } },
  // Of one person; each leaves an audit entry.
  answer: { account: { minute: 60, hour: 600 } },
  // A workplace shares one address.
  joinRequest: { address: { minute: 60, hour: 300, day: 1000 } },
  nameChoice: { invitation: { hour: 10 } },
  // Each way to a provider and back without success, of an address or a known browser's account.
  provider: { address: { minute: 120, hour: 1000 } },
  // Wrong answers of passkeys, counted as those.
  passkey: { address: { minute: 60, hour: 1000 } },
  signUp: { address: { hour: 10 } },
  newCompany: { address: { hour: 3 } },
} as const satisfies Record<string, Partial<Record<Scope, Budget>>>;

export type LimitName = keyof typeof limits;

/** Who does it: what each scope of the limit counts together. */
type Subjects<Name extends LimitName> = Record<keyof (typeof limits)[Name] & Scope, string | number>;

/** Too many uses, or failures, in a short time: nothing was done or checked. */
export type SlowedDown = { waitSeconds: number };

/** A limit of people who are signed in. */
export type PersonLimit = {
  [Name in LimitName]: keyof (typeof limits)[Name] extends 'account' | 'company' ? Name : never;
}[LimitName];

export const subjectsOf = ({ companyId, accountId }: { companyId: number; accountId: number }) => ({
  account: `${companyId}:${accountId}`,
  company: companyId,
});

/** Counts uses in a window of `minutes`, of which `most` are allowed. `text` names it; its first line says the limit. */
export type Counter = { text: string; minutes: number; most: number };

const countersOf = <Name extends LimitName>(name: Name, who: Subjects<Name>): Counter[] =>
  Object.entries<Budget>(limits[name]).flatMap(([scope, budget]) =>
    Object.entries(budget).map(([window, most]) => ({
      text: [name, scope, window, who[scope as keyof typeof who]].join('\n'),
      minutes: minutesOf[window as keyof Budget],
      most,
    })),
  );

/** What `limit_counters.subject` has for the text of a counter. */
export const asSubject = (text: string): Buffer => createHash('sha256').update(text).digest();

const { subject, uses, endsAt } = limitCounters;
const isOf = (text: string) => eq(subject, asSubject(text));

/** What `on conflict` sets for a use, in a window that may have ended. */
export const usesOfWindow = sql`case when ${endsAt} > now() then ${uses} + 1 else 1 end`;
export const endOfWindow = sql`case when ${endsAt} > now() then ${endsAt} else excluded.ends_at end`;

export const countUse = <Name extends LimitName>(name: Name, who: Subjects<Name>) => countUses(countersOf(name, who));

/** Counts a use in each counter, over all processes. Returns 0, or the seconds to wait; then nothing was counted. */
export async function countUses(counters: Counter[]): Promise<number> {
  const wanted = counters.map(({ text, ...counter }) => ({ ...counter, hash: asSubject(text).toString('hex') }));
  // As text: five parts with a list of values read worse in the builder.
  const [row] = await db().execute<{ seconds: number }>(sql`
    with wanted as (
      select decode(hash, 'hex') as subject, most, now() + minutes * interval '1 minute' as ends_at
      from jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as w (hash text, minutes int, most int)
    ), reached as (
      select max(c.ends_at) as until from wanted w join limit_counters c using (subject)
      where c.ends_at > now() and c.uses >= w.most
    ), counted as (
      insert into limit_counters (subject, uses, ends_at)
      select subject, 1, ends_at from wanted where (select until from reached) is null order by subject
      on conflict (subject) do update set uses = ${usesOfWindow}, ends_at = ${endOfWindow}
      returning subject, uses, ends_at
    ), over as (
      select until from reached
      union all select c.ends_at from counted c join wanted w using (subject) where c.uses > w.most
    )
    -- A window that another statement began meanwhile ends more than its length after this now().
    select coalesce(max(greatest(1, ceil(extract(epoch from until - clock_timestamp())))), 0)::int as seconds
    from over where until is not null`);
  return row?.seconds ?? 0;
}

/**
 * Counts a use after which, beyond `most`, the next one waits: 1, 2, 4 … `maxWaitSeconds`. Returns 0, or the seconds to
 * wait. One that comes too early does not count, so a wait ends. Each use begins the window anew.
 */
export async function countWithWait({ text, minutes, most }: Counter, maxWaitSeconds: number): Promise<number> {
  const window = sql`${minutes} * interval '1 minute'`;
  const wait = sql`least(${maxWaitSeconds}, 2 ^ least(${uses} - ${most}, 10)) * interval '1 second'`;
  const allowedAt = sql`(${endsAt} - ${window} + ${wait})`;
  const isEarly = sql`(${uses} >= ${most} and now() < ${allowedAt})`;
  const [row] = await db()
    .insert(limitCounters)
    .values({ subject: asSubject(text), uses: 1, endsAt: sql`now() + ${window}` })
    .onConflictDoUpdate({
      target: subject,
      set: {
        uses: sql`case when ${isEarly} then ${uses} when ${endsAt} < now() then 1 else ${uses} + 1 end`,
        endsAt: sql`case when ${isEarly} then ${endsAt} else now() + ${window} end`,
      },
    })
    // A counted use has set ends_at. One that began earlier may be counted later.
    .returning({
      seconds: sql<number>`case when ${endsAt} = now() + ${window} then 0
          else greatest(1, ceil(extract(epoch from ${allowedAt} - clock_timestamp())))::int end`,
    });
  return row?.seconds ?? 0;
}

/** Takes back a use that was counted and not made. */
export const forgetUse = <Name extends LimitName>(name: Name, who: Subjects<Name>) => forgetUses(countersOf(name, who));

export async function forgetUses(counters: Pick<Counter, 'text'>[]): Promise<void> {
  const fewer = { uses: sql`greatest(${uses} - 1, 0)` };
  for (const { text } of counters) await db().update(limitCounters).set(fewer).where(isOf(text));
}

export async function resetCounter({ text }: Pick<Counter, 'text'>): Promise<void> {
  await db().delete(limitCounters).where(isOf(text));
}
