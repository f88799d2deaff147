import '#app/owner/home/home.css';
import { Skeleton } from '@mantine/core';
import { Send } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import {
  ConnectSystem,
  HomeAlarms,
  KeysToCheck,
  Needs,
  NewerVersion,
  OwnerChanges,
  Reach,
  SendsByDay,
} from '#app/owner/home/cards.tsx';
import { FirstSteps } from '#app/owner/home/lazy-steps.tsx';
import { NewestSends } from '#app/owner/sends/send-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { Texts, titled } from '#app/ui/text/texts.tsx';
import { requireManager, requireSession } from '#server/accounts/sign-in/require.ts';
import { findProgress } from '#server/companies/overview.ts';

export const generateMetadata = titled('owner', 'title');

export default async function OwnerHome() {
  const manager = await requireManager('/owner');
  const { account, owner, employee } = await requireSession();
  const progress = owner && (await findProgress(owner));
  const [t, first] = await Promise.all([getTranslations('owner'), getTranslations('firstSteps')]);
  if (owner && progress && !progress.hasSeen)
    return (
      <>
        <HomeAlarms owner={owner} />
        <Needs manager={manager} />
        <PageHead title={first('title')} lead={first('lead')} />
        <Texts of={['employees', 'firstSteps']}>
          <FirstSteps initial={progress} />
        </Texts>
      </>
    );
  const hour = Number(
    new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: manager.timeZone }).format(),
  );
  return (
    <>
      <PageHead compact title={<bdi>{t(`greeting.${partOfDay(hour)}`, { name: employee?.name ?? account.name })}</bdi>}>
        <ButtonLink href="/owner/sends/new" icon={<Send />} text={t('send')} />
      </PageHead>
      {owner && <HomeAlarms owner={owner} />}
      <div className="home-columns">
        {/* As one, so that what is needed does not push the rest down. */}
        <Suspense fallback={<Skeleton height={420} radius="lg" />}>
          <Needs manager={manager} />
          <div className="home-main">
            <NewestSends
              manager={manager}
              id="recent"
              title={t('recent')}
              none={t('none')}
              all={{ href: '/owner/sends', text: t('allSends') }}
            />
            {owner && <OwnerChanges owner={owner} />}
            <Suspense fallback={<Skeleton height={220} radius="lg" />}>
              <SendsByDay manager={manager} />
            </Suspense>
          </div>
          <div className="home-aside">
            <Suspense fallback={<Skeleton height={260} radius="lg" />}>
              <Reach manager={manager} />
            </Suspense>
            {owner && <KeysToCheck owner={owner} />}
            {owner && !progress?.hasKey && <ConnectSystem />}
          </div>
        </Suspense>
      </div>
      {owner && <NewerVersion />}
    </>
  );
}

function partOfDay(hour: number): 'morning' | 'noon' | 'afternoon' | 'evening' {
  if (hour >= 4 && hour < 11) return 'morning';
  if (hour >= 11 && hour < 15) return 'noon';
  return hour >= 15 && hour < 18 ? 'afternoon' : 'evening';
}
