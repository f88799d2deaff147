import { cookies, headers } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { browserFamily, cardCookie } from '#app/portal/device/browser.ts';
import { DeviceCard } from '#app/portal/device/device-card.tsx';
import { HomeLists } from '#app/portal/home-lists.tsx';
import { ConnectionState } from '#app/portal/live/bell/status-bar.tsx';
import { SoundChip, SoundTest } from '#app/portal/live/controls/sound-control.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { requireEmployee } from '#server/accounts/sign-in/require.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';
import { countToConfirm, countUnread } from '#server/inbox/unread.ts';
import { vapidPublicKey } from '#server/push/deliver.ts';

export const generateMetadata = titled('portal', 'title');

// A page of repeats would leave few rows: more are read than shown.
const homeItems = 12;
const maxPinned = 6;

export default async function PortalHome() {
  const employee = await requireEmployee('/portal');
  const t = await getTranslations('portal');
  const sound = await getTranslations('sound');
  const listedAt = (await countUnread(employee)).at;
  const [newest, pinned, toConfirm] = await Promise.all([
    listInbox(employee, { limit: homeItems }),
    listInbox(employee, { limit: maxPinned, filter: { toConfirm: true } }),
    countToConfirm(employee),
  ]);
  const family = browserFamily((await headers()).get('user-agent') ?? '');
  const known = new Map([...newest.items, ...pinned.items].map((item) => [item.no, item]));
  const initial = [...known.values()].sort((a, b) => b.no - a.no);
  return (
    <>
      <PageHead
        title={<bdi>{t('hello', { name: employee.name })}</bdi>}
        lead={<span className="mantine-visible-from-sm">{t('lead')}</span>}
      />
      <section aria-label={sound('title')} className="home-state">
        <SoundChip />
        <ConnectionState />
        <SoundTest />
      </section>
      {!(await cookies()).has(cardCookie) && <DeviceCard publicKey={vapidPublicKey()} family={family} />}
      <HomeLists initial={initial.map(asItem)} toConfirm={toConfirm} listedAt={listedAt} />
      <TextLink href="/portal/help">{sound('helpLink')}</TextLink>
    </>
  );
}
