import { sql } from '#db/client.ts';

/**
 * The rule of reminders as a condition of SQL, over `notifications n` and a person's id: a reminder to everyone is only for
 * those who received what it reminds of and had not confirmed it when it was made. True for all other notifications.
 */
export const reminderConcerns = (employeeId = sql()`e.id`) =>
  sql()`(n.recipient_id is not null or ${reminderToAllConcerns(employeeId)})`;

/** As `reminderConcerns`, where all `notifications n` are to everyone; its columns are those of the index of these. */
export const reminderToAllConcerns = (employeeId = sql()`e.id`) => sql()`(n.reminds_no is null or (
    exists (
      select from employment was where was.company_id = n.company_id and was.employee_id = ${employeeId}
        and was.from_no < n.reminds_no and n.reminds_no <= coalesce(was.until_no, n.reminds_no)
    ) and not exists (
      select from receipts done where done.company_id = n.company_id and done.employee_id = ${employeeId}
        and done.no = n.reminds_no and done.confirmed_at <= (
          select made.created_at from notifications made where made.company_id = n.company_id and made.no = n.no)
    )))`;

/** Whether a notification still counts, as a condition of SQL over `notifications n`: it reached somebody and was not withdrawn. */
export const stillCounts = () => sql()`n.reach > 0 and n.withdrawn_at is null`;

/** Whether a person has read a notification, as a condition of SQL over `notifications n`, `employees e` and their `receipts r`. */
export const hasRead = () => sql()`(r.unread_at is null and (r.read_at is not null or n.no <= e.read_up_to))`;

/**
 * Everyone whom notifications reached, as the rest of a SQL statement after `from`: `notifications n`, `employees e` and
 * their `receipts r` (null: they did nothing). The first condition of the caller follows with `and`.
 */
export const audience = () => sql()`
  notifications n
  join lateral (
    select n.recipient_id as id where n.recipient_id is not null
    union all
    select s.employee_id from employment s
    where n.recipient_id is null and s.company_id = n.company_id and s.from_no < n.no and n.no <= coalesce(s.until_no, n.no)
  ) reached on true
  join employees e on e.company_id = n.company_id and e.id = reached.id
  left join receipts r on r.company_id = n.company_id and r.employee_id = e.id and r.no = n.no
  where n.reach > 0 and ${reminderConcerns()}`;

/** A text to look for as the pattern of an `ilike`. */
export const asPattern = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`;
