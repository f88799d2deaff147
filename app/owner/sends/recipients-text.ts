import type { useTranslations } from 'next-intl';
import type { Send } from '#server/sends/list.ts';

/** What tells who a send was for. */
export type SentTo = Pick<Send, 'recipientId' | 'recipientName' | 'toRoles' | 'reach' | 'skipped'>;

/**
 * Says who a send was for: everyone (the text of the caller), the roles, how many chosen people, or
 * one name. `t` translates `sends`.
 */
export function sayRecipients(send: SentTo, everyone: string, t: ReturnType<typeof useTranslations<'sends'>>): string {
  if (send.recipientId === null) return everyone;
  if (send.toRoles) return send.toRoles.join(', ');
  return send.recipientName ?? t('somePeople', { count: send.reach + (send.skipped ?? 0) });
}
