import { type Fragment, sql } from '#db/client.ts';

/**
 * Who a notification is for: every active employee, one employee, everyone who has one of these
 * roles when it is sent, or these employees.
 */
export type Recipients =
  | { to: 'everyone' }
  | { to: 'one'; employeeId: number }
  | { to: 'roles'; roles: string[] }
  | { to: 'people'; employeeIds: number[] };

/** The recipients that a key may choose. */
export type OneOrEveryone = Extract<Recipients, { to: 'everyone' | 'one' }>;

/** Who a notification was for, without the ids of chosen people. */
export type SentTo = Exclude<Recipients, { to: 'people' }> | { to: 'people' };

/** The column `recipients` of `notifications n`, a `SentTo`. */
export const sentToColumn = () => sql()`
  case when n.recipient_id is not null then jsonb_build_object('to', 'one', 'employeeId', n.recipient_id)
    when n.to_roles is not null then jsonb_build_object('to', 'roles', 'roles', n.to_roles)
    when n.is_listed then '{"to": "people"}' else '{"to": "everyone"}' end as recipients`;

export const employeeIdOf = (recipients: SentTo): number | undefined =>
  recipients.to === 'one' ? recipients.employeeId : undefined;

/** A condition over `notifications n`: it is to everyone. */
export const isToEveryone = () => sql()`(n.recipient_id is null and not n.is_listed)`;

/** A condition over `notifications n` and a period `s` of `employment`: the person was active at its number. */
const wasActive = () => sql()`s.company_id = n.company_id and s.from_no < n.no and n.no <= coalesce(s.until_no, n.no)`;

/**
 * A condition over `notifications n`: this person received it. It is to them, to everyone while they
 * were active, or they are in its list.
 */
export const isReceivedBy = (employeeId: Fragment) => sql()`(
  n.recipient_id = ${employeeId}
  or ${isToEveryone()} and ${reminderConcerns(employeeId)}
    and exists (select from employment s where s.employee_id = ${employeeId} and ${wasActive()})
  or n.is_listed and exists (
    select from notification_people p
    where p.company_id = n.company_id and p.no = n.no and p.employee_id = ${employeeId}))`;

// The person was active when the original was sent.
const receivedOriginal = (employeeId: Fragment) => sql()`exists (
      select from employment was where was.company_id = n.company_id and was.employee_id = ${employeeId}
        and was.from_no < n.reminds_no and n.reminds_no <= coalesce(was.until_no, n.reminds_no))`;

/**
 * A condition over `notifications n` that are to everyone: it is no reminder, or the person received
 * the original and had not confirmed it when the reminder was made. It reads only columns of the
 * index of those, so that the index alone answers it. `received`: the person received the original.
 */
export const reminderConcerns = (employeeId: Fragment, received = receivedOriginal(employeeId)) => sql()`(
    n.reminds_no is null or ${received} and not exists (
      select from receipts done where done.company_id = n.company_id and done.employee_id = ${employeeId}
        and done.no = n.reminds_no and done.confirmed_at <= (
          select made.created_at from notifications made where made.company_id = n.company_id and made.no = n.no)
    ))`;

/** A condition over `notifications n`: it reached at least one person and was not withdrawn. */
export const stillCounts = () => sql()`n.reach > 0 and n.withdrawn_at is null`;

/** A condition over `notifications n`, `employees e`, `receipts r`: the person has read it. */
export const hasRead = () => sql()`(r.unread_at is null and (r.read_at is not null or n.no <= e.read_up_to))`;

/**
 * The people whom notifications reached: what follows `from`, with `notifications n`, `employees e`
 * and their `receipts r` (null without a receipt). It ends in a `where`; add conditions with `and`.
 */
export const fromRecipients = () => sql()`
  notifications n
  join lateral (
    select n.recipient_id as id where n.recipient_id is not null
    union all
    select p.employee_id from notification_people p where n.is_listed and p.company_id = n.company_id and p.no = n.no
    union all
    select s.employee_id from employment s
    where ${isToEveryone()} and ${wasActive()} and ${reminderConcerns(sql()`s.employee_id`)}
  ) reached on true
  join employees e on e.company_id = n.company_id and e.id = reached.id
  left join receipts r on r.company_id = n.company_id and r.employee_id = e.id and r.no = n.no
  where n.reach > 0`;

/** The `ilike` pattern that finds a text anywhere, with its wildcards escaped. */
export const asPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

export const wordsOf = (search: string): string[] => [...new Set(search.split(/\s+/u).filter((word) => word !== ''))];

/**
 * A condition: each word of `search` is a part of one of these texts, in any order and case. It
 * begins with `and`, and is empty without a word.
 */
export const andContainsWords = (search: string | undefined, texts: Fragment[]): Fragment =>
  wordsOf(search ?? '').reduce<Fragment>((condition, word) => {
    const anywhere = texts.reduce<Fragment>(
      (any, text) => sql()`${any} or ${text} ilike ${asPattern(word)}`,
      sql()`false`,
    );
    return sql()`${condition} and (${anywhere})`;
  }, sql()``);
