import { UserRoundPlus } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { PageLink } from '#app/ui/text/links.tsx';
import { countJoinRequests } from '#server/employees/join-requests.ts';
import type { Manager } from '#server/principals.ts';

/** A line that leads to the open requests to join; nothing if there are none. */
export async function JoinRequestsNote({ manager }: { manager: Manager }) {
  const count = await countJoinRequests(manager);
  if (count === 0) return null;
  const t = await getTranslations('joins');
  return (
    <PageLink href="/owner/employees/join" className="alarm-line" data-calm>
      <UserRoundPlus aria-hidden size={20} />
      <span>{t('open', { count })}</span>
      <u>{t('see')}</u>
    </PageLink>
  );
}
