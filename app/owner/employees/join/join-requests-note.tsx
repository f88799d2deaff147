import { UserRoundPlus } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { NoticeLine } from '#app/ui/frame/notice-line.tsx';
import { countJoinRequests } from '#server/employees/join-requests.ts';
import type { Manager } from '#server/principals.ts';

/** A line that leads to the open requests to join; nothing if there are none. */
export async function JoinRequestsNote({ manager }: { manager: Manager }) {
  const count = await countJoinRequests(manager);
  if (count === 0) return null;
  const t = await getTranslations('joins');
  return (
    <NoticeLine href="/owner/employees/join" icon={<UserRoundPlus aria-hidden size={18} />} see={t('see')} tone="calm">
      {t('open', { count })}
    </NoticeLine>
  );
}
