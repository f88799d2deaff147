import { sql } from '#db/client.ts';

/**
 * The SQL condition under which a NOTIFY may be sent: PostgreSQL's NOTIFY queue is less than 90 %
 * full. A full queue makes the whole transaction fail. Without the NOTIFY, the reconciliation of
 * each process finds the change within 2 s (`server/feed`).
 */
export const hasNotifyRoom = () => sql()`pg_notification_queue_usage() < 0.9`;

/** A piece of a SQL statement, made with `sql()`. */
export type Fragment = ReturnType<typeof hasNotifyRoom>;
