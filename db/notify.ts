import { sql } from '#db/client.ts';

/**
 * The condition, as a fragment of SQL, under which a NOTIFY may be sent: PostgreSQL's queue of notifications has room. A full queue makes
 * the whole transaction fail; without the wake-up the sweep of each process finds the news within 2 s (`server/feed`).
 */
export const hasNotifyRoom = () => sql()`pg_notification_queue_usage() < 0.9`;

/**
 * The call, as a fragment of SQL, that wakes every process for one number of a company. `no` and `recipientId` are SQL expressions or
 * values; without a recipient the number concerns everyone.
 */
export const notifyOfNumber = (companyId: number, no: Fragment, recipientId: Fragment = sql()`null`) =>
  sql()`pg_notify('notifications', json_build_array(${companyId}::int, ${no}, ${recipientId})::text)`;

/** A piece of a SQL statement, made with `sql()`. */
export type Fragment = ReturnType<typeof hasNotifyRoom>;
