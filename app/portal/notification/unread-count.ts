/** The highest unread count. The service stops counting there (`server/inbox/unread.ts`). */
export const maxUnread = 1000;

/** Writes an unread count for a small place: 100 and more are "99+". */
export const shortCount = (count: number): string => (count > 99 ? '99+' : String(count));
