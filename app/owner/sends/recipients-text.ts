import type { useTranslations } from 'next-intl';
import type { SentTo } from '#server/notifications/audience.ts';

/** What tells who a send was for. A draft has the ids of chosen people, a send counts them. */
type Addressed = {
  recipients: SentTo & { employeeIds?: number[] };
  recipientName: string | null;
  reach?: number;
  skipped?: number | null;
};

/**
 * Says who a send was for: everyone (the text of the caller), the roles, how many chosen people, or
 * one name. `t` translates `sends`.
 */
export function sayRecipients(
  { recipients, recipientName, reach = 0, skipped }: Addressed,
  everyone: string,
  t: ReturnType<typeof useTranslations<'sends'>>,
): string {
  if (recipients.to === 'everyone') return everyone;
  if (recipients.to === 'roles') return recipients.roles.join(', ');
  return recipientName ?? t('somePeople', { count: recipients.employeeIds?.length ?? reach + (skipped ?? 0) });
}
