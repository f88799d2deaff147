import { type Fragment, sql } from '#db/client.ts';
import { asSubject, forgetAttempt } from '#server/accounts/sign-in/attempts.ts';

const minutesOf = { minute: 1, hour: 60, day: 1440 } as const;

/** How often something may be done in a window. A window begins with its first use. */
type Budget = Partial<Record<keyof typeof minutesOf, number>>;
type Scope = 'account' | 'company' | 'address' | 'invitation';

/**
 * What people may do, and how often. A company of 500 people stays far below on its busiest day. One
 * account never uses up what its company may do. docs/security.md prints this table.
 */
export const limits = {
  // What an owner or manager changes, unless it has a row of its own.
  change: { account: { minute: 120, hour: 3000 }, company: { hour: 9000 } },
  // Up to 200 people at once: links, roles, activity, decisions about requests.
  bulk: { account: { minute: 20, hour: 120 }, company: { hour: 360 } },
  // Lists to import (1 MiB), logos and pictures.
  upload: { account: { minute: 20, hour: 60 }, company: { hour: 120, day: 300 } },
  importRow: { account: { minute: 60, hour: 1000 }, company: { hour: 3000 } },
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
  // A workplace shares one address.
  joinRequest: { address: { minute: 60, hour: 300, day: 1000 } },
  nameChoice: { invitation: { hour: 10 } },
  // Each way to a provider and back.
  provider: { address: { minute: 120, hour: 1000 } },
  // Answers of passkeys.
  passkey: { address: { minute: 60, hour: 1000 } },
  signUp: { address: { hour: 10 } },
  newCompany: { address: { hour: 3 } },
} as const satisfies Record<string, Partial<Record<Scope, Budget>>>;

export type LimitName = keyof typeof limits;

/** Who does it: what each scope of the limit counts together. */
type Subjects<Name extends LimitName> = Record<keyof (typeof limits)[Name] & Scope, string | number>;

/** A limit of people who are signed in. */
export type PersonLimit = {
  [Name in LimitName]: keyof (typeof limits)[Name] extends 'account' | 'company' ? Name : never;
}[LimitName];

export const subjectsOf = ({ companyId, accountId }: { companyId: number; accountId: number }) => ({
  account: `${companyId}:${accountId}`,
  company: companyId,
});

const countersOf = <Name extends LimitName>(name: Name, who: Subjects<Name>) =>
  Object.entries<Budget>(limits[name]).flatMap(([scope, budget]) =>
    Object.entries(budget).map(([window, most]) => ({
      text: [name, scope, window, who[scope as keyof typeof who]].join('\n'),
      minutes: minutesOf[window as keyof Budget],
      most,
    })),
  );

/** Counts a use of each row of `asked` (`subject`, and `ends_at` for a new window). Returns the counts. */
export const addUses = (asked: Fragment) => sql()`
  insert into sign_in_failures as f (subject, window_started_at, failures, ends_at)
  select subject, now(), 1, ends_at from ${asked} order by subject
  on conflict (subject) do update set last_at = now(),
    failures = case when f.ends_at > now() then f.failures + 1 else 1 end,
    window_started_at = case when f.ends_at > now() then f.window_started_at else now() end,
    ends_at = case when f.ends_at > now() then f.ends_at else excluded.ends_at end
  returning subject, failures, ends_at`;

/**
 * Counts a use of what a limit is for, in PostgreSQL: it holds over all processes, also for parallel
 * uses. Returns 0, or the seconds to wait. What is refused does not count.
 */
export async function countUse<Name extends LimitName>(name: Name, who: Subjects<Name>): Promise<number> {
  const [row] = await sql()<{ seconds: number }[]>`
    with asked as (
      select sha256(convert_to(text, 'UTF8')) as subject, most, now() + minutes * interval '1 minute' as ends_at
      from jsonb_to_recordset(${JSON.stringify(countersOf(name, who))}::text::jsonb) as a (text text, minutes int, most int)
    ), reached as (
      select max(f.ends_at) as until from asked a join sign_in_failures f using (subject)
      where f.ends_at > now() and f.failures >= a.most
    ), counted as (
      ${addUses(sql()`asked where (select until from reached) is null`)}
    ), over as (
      select until from reached
      union all select c.ends_at from counted c join asked a using (subject) where c.failures > a.most
    )
    select coalesce(ceil(extract(epoch from max(until) - now())), 0)::int as seconds from over`;
  return row?.seconds ?? 0;
}

/** Takes back a use that was counted and not made. */
export async function forgetUse<Name extends LimitName>(name: Name, who: Subjects<Name>): Promise<void> {
  for (const { text } of countersOf(name, who)) await forgetAttempt(asSubject(text));
}
