import type { Mark } from '#app/portal/live/feed/channel.ts';
import type { PortalStore } from '#app/portal/live/store/portal-store.ts';
import { markReadAction } from '#app/portal/notification/actions.ts';

/**
 * Marks one notification read or unread. All lists show it at once, and undo it if the service does
 * not store it. Returns whether it is stored.
 */
export async function storeMark(portal: PortalStore, { no, read }: Mark): Promise<boolean> {
  const mark = { no, read };
  portal.marks.begin(mark);
  const result = await markReadAction(mark).catch(() => null);
  if (result && 'value' in result) {
    portal.recordMarked(mark, result.value.unread);
    return true;
  }
  portal.marks.undo(mark);
  if (result) portal.checkSession(result);
  return false;
}
