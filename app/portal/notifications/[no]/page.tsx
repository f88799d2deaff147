import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { itemAddress } from '#app/portal/notification/item.ts';
import { OpenedNotification } from '#app/portal/notifications/[no]/opened-notification.tsx';
import { BackLink } from '#app/ui/frame/page-head.tsx';
import { NumberText } from '#app/ui/lists/list-query.ts';
import { titled } from '#app/ui/text/texts.tsx';
import { requireEmployee } from '#server/accounts/sign-in/require.ts';
import { findInInbox } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';

export const generateMetadata = titled('notification', 'title');

export default async function OneNotification({ params }: { params: Promise<{ no: string }> }) {
  const no = NumberText.safeParse((await params).no).data;
  const employee = await requireEmployee(no === undefined ? '/portal/notifications' : itemAddress(no));
  const item = no === undefined ? null : await findInInbox(employee, no);
  if (!item) notFound();
  const t = await getTranslations('inbox');
  return (
    <>
      <BackLink href="/portal/notifications" text={t('title')} />
      <OpenedNotification key={no} initial={item === 'withdrawn' ? item : asItem(item)} />
    </>
  );
}
