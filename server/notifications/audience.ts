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

/**
 * The `recipient_id` of a send to roles or to chosen people. It is no employee's id: the recipients
 * are in `notification_roles` with the periods of `employment`, or in `notification_people`.
 */
export const severalRecipients = -1;

/** A condition over `notifications n`: it is to roles or to chosen people. */
export const isToSeveral = (recipientId = sql()`n.recipient_id`) => sql()`${recipientId} = ${severalRecipients}`;

/** Who a notification was for, without the ids of chosen people. */
export type SentTo = Exclude<Recipients, { to: 'people' }> | { to: 'people' };

/**
 * The column `recipients` of `notifications n`, a `SentTo`. `no` is the number that the roles
 * belong to, and `people` a JSON value for chosen people.
 */
export const selectSentTo = (no = sql()`n.no`, people = sql()`'{"to": "people"}'`) => sql()`
  case when n.recipient_id is null then '{"to": "everyone"}'::jsonb
    when not ${isToSeveral()} then jsonb_build_object('to', 'one', 'employeeId', n.recipient_id)
    else coalesce((
      select jsonb_build_object('to', 'roles', 'roles', jsonb_agg(g.role order by g.role)) from notification_roles g
      where g.company_id = n.company_id and g.no = ${no} having count(*) > 0), ${people}) end as recipients`;

export const employeeIdOf = (recipients: SentTo): number | undefined =>
  recipients.to === 'one' ? recipients.employeeId : undefined;

/** A condition: the employment period `s` covers the number with this role. */
const hadRole = (no: Fragment, role: Fragment) => sql()`
  s.from_no < ${no} and ${no} <= coalesce(s.until_no, ${no}) and ${role} = coalesce(s.role, (
    select m.role from employees m where m.company_id = s.company_id and m.id = s.employee_id))`;

/**
 * A query of `id`: the recipients of the send `no` to roles or to chosen people. For any
 * other send it is empty. Both parameters are columns of an outer query, or values with their
 * types. An index has the people whose role is still the same; the others are looked for in all
 * closed periods.
 */
export const selectSeveral = (companyId: Fragment, no: Fragment) => sql()`
  select p.employee_id as id from notification_people p where p.company_id = ${companyId} and p.no = ${no}
  union all
  select m.id from notification_roles g
  join employees m on m.company_id = g.company_id and m.role = g.role
  join employment s on s.company_id = m.company_id and s.employee_id = m.id and s.role is null
    and s.from_no < g.no and g.no <= coalesce(s.until_no, g.no)
  where g.company_id = ${companyId} and g.no = ${no}
  union all
  select s.employee_id from notification_roles g
  join employment s on s.company_id = g.company_id and s.role = g.role and s.from_no < g.no and g.no <= s.until_no
  where g.company_id = ${companyId} and g.no = ${no}`;

/**
 * A condition over `notifications n` and a person's id: the send is to roles or to chosen people,
 * and it reached this person.
 */
export const isOneOfSeveral = (employeeId: Fragment) => sql()`(${isToSeveral()} and (
    exists (
      select from notification_people p
      where p.company_id = n.company_id and p.no = n.no and p.employee_id = ${employeeId}
    ) or exists (
      select from notification_roles g
      join employment s on s.company_id = g.company_id and s.employee_id = ${employeeId}
      where g.company_id = n.company_id and g.no = n.no and ${hadRole(sql()`g.no`, sql()`g.role`)}
    )))`;

/**
 * A condition over `notifications n` and a person's id: a reminder to everyone concerns only those
 * who received the original and had not confirmed it when the reminder was made. True for
 * everything else: a reminder of a send to several has their rows in `notification_people`.
 */
export const reminderConcerns = (employeeId = sql()`e.id`) =>
  sql()`(n.recipient_id is not null or ${reminderToAllConcerns(employeeId)})`;

// The person was active when the original was sent.
const receivedOriginal = (employeeId: Fragment) => sql()`exists (
      select from employment was where was.company_id = n.company_id and was.employee_id = ${employeeId}
        and was.from_no < n.reminds_no and n.reminds_no <= coalesce(was.until_no, n.reminds_no))`;

/**
 * The same condition where every `notifications n` is to everyone. It reads only columns of the
 * index of those, so that the index alone answers it. `received`: the person received the original.
 */
export const reminderToAllConcerns = (
  employeeId = sql()`e.id`,
  received = receivedOriginal(employeeId),
) => sql()`(n.reminds_no is null or (
    ${received} and not exists (
      select from receipts done where done.company_id = n.company_id and done.employee_id = ${employeeId}
        and done.no = n.reminds_no and done.confirmed_at <= (
          select made.created_at from notifications made where made.company_id = n.company_id and made.no = n.no)
    )))`;

/** A condition over `notifications n`: it reached at least one person and was not withdrawn. */
export const stillCounts = () => sql()`n.reach > 0 and n.withdrawn_at is null`;

/** A condition over `notifications n`, `employees e`, `receipts r`: the person has read it. */
export const hasRead = () => sql()`(r.unread_at is null and (r.read_at is not null or n.no <= e.read_up_to))`;

/**
 * The people whom notifications reached: what follows `from`, with `notifications n`, `employees e`
 * and their `receipts r` (null without a receipt). It ends in a `where`; add conditions with `and`.
 */
export const audience = () => sql()`
  notifications n
  join lateral (
    select n.recipient_id as id where n.recipient_id is not null
    union all
    select several.id from (${selectSeveral(sql()`n.company_id`, sql()`n.no`)}) several
    where ${isToSeveral()}
    union all
    select s.employee_id from employment s
    where n.recipient_id is null and s.company_id = n.company_id
      and s.from_no < n.no and n.no <= coalesce(s.until_no, n.no)
  ) reached on true
  join employees e on e.company_id = n.company_id and e.id = reached.id
  left join receipts r on r.company_id = n.company_id and r.employee_id = e.id and r.no = n.no
  where n.reach > 0 and ${reminderConcerns()}`;

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
