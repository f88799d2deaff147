import '#app/owner/home/home.css';
import { Skeleton, Text } from '@mantine/core';
import { BadgeCheck, CalendarClock, CalendarX2, type LucideIcon, Send, UserRoundPlus, UserRoundX } from 'lucide-react';
import { getFormatter, getTranslations } from 'next-intl/server';
import { cache, type ReactNode, Suspense } from 'react';
import { findActiveAlarms } from '#app/owner/alarms/active-alarms.ts';
import { AlarmCards } from '#app/owner/alarms/alarm-cards.tsx';
import { makeDescriber } from '#app/owner/audit/describe.ts';
import { FirstSteps } from '#app/owner/home/lazy-steps.tsx';
import { RemindAll } from '#app/owner/sends/[no]/send-buttons.tsx';
import { NewestSends } from '#app/owner/sends/send-table.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { Item, Items, WarningRow } from '#app/ui/lists/items.tsx';
import { Bars, ShareBar, Swatch } from '#app/ui/pictures/charts.tsx';
import { ButtonLink, TextLink } from '#app/ui/text/links.tsx';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import { Texts, titled } from '#app/ui/text/texts.tsx';
import { ShortTime, TimeOf, Timestamp } from '#app/ui/text/timestamp.tsx';
import { findNewerVersion } from '#platform/config/version.ts';
import { requireManager, requireSession } from '#server/accounts/sign-in/require.ts';
import { listOwnerChanges } from '#server/audit/list.ts';
import { countOutOfReach, findProgress, type KeyToCheck, listKeysToCheck } from '#server/companies/overview.ts';
import { countJoinRequests } from '#server/employees/join-requests.ts';
import { withoutMarks } from '#server/notifications/text-marks.ts';
import type { Manager, Owner } from '#server/principals.ts';
import { hasOwnerDevice } from '#server/push/owner-devices.ts';
import { listUnconfirmedSends } from '#server/sends/history/outcomes.ts';
import { countSendsByDay } from '#server/sends/history/send-list.ts';
import { findPlannedForHome } from '#server/sends/planned/planned-list.ts';

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
  // The doctor names a file that cannot be read.
  const version = owner && (await findNewerVersion().catch(() => null));
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
            <Section id="recent" title={t('recent')}>
              <NewestSends manager={manager} none={t('none')} />
              <TextLink href="/owner/sends">{t('allSends')}</TextLink>
            </Section>
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
            {owner && !progress?.hasKey && (
              <Section id="connect" title={t('connect.title')}>
                <Text size="sm">{t('connect.text')}</Text>
                <TextLink href="/owner/keys">{t('connect.go')}</TextLink>
              </Section>
            )}
          </div>
        </Suspense>
      </div>
      {version && <p className="fine-print">{t('newerVersion', { version })}</p>}
    </>
  );
}

function partOfDay(hour: number): 'morning' | 'noon' | 'afternoon' | 'evening' {
  if (hour >= 4 && hour < 11) return 'morning';
  if (hour >= 11 && hour < 15) return 'noon';
  return hour >= 15 && hour < 18 ? 'afternoon' : 'evening';
}

// The sends of the last 14 days as a picture; nothing while it would be one bar.
async function SendsByDay({ manager }: { manager: Manager }) {
  const days = await countSendsByDay(manager);
  const [t, format] = await Promise.all([getTranslations('owner.byDay'), getFormatter()]);
  // The day is a date without a zone, so it is formatted as one.
  const asDate = (day: string) => new Date(`${day}T00:00:00Z`);
  if (days.filter(({ sends }) => sends > 0).length < 2) return null;
  const total = days.reduce((sum, { sends }) => sum + sends, 0);
  return (
    <Section id="by-day" title={t('title')}>
      <Bars
        label={t('label', { total, today: days.at(-1)?.sends ?? 0 })}
        figuresText={t('table')}
        bars={days.map(({ day, sends }) => ({
          label: format.dateTime(asDate(day), { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }),
          short: format.dateTime(asDate(day), { day: 'numeric', timeZone: 'UTC' }),
          value: sends,
        }))}
      />
      {manager.kind === 'owner' && <TextLink href="/owner/statistics">{t('statistics')}</TextLink>}
    </Section>
  );
}

// Why a send may not reach people, with the filter of the list that shows them.
const reasons = [
  { name: 'noAccount', filter: 'account=none&choose=all', tone: 'attention' },
  { name: 'neverSeen', filter: 'account=own&portal=never', tone: 'attention' },
  { name: 'notSeenLately', filter: 'portal=away', tone: 'attention' },
  { name: 'noSound', filter: 'portal=silent', tone: 'outline' },
] as const;

// Once per page, for `Needs` too.
const countUnreached = cache(countOutOfReach);

async function Reach({ manager }: { manager: Manager }) {
  const t = await getTranslations('owner.reach');
  const counts = await countUnreached(manager);
  const missing = reasons.filter(({ name }) => counts[name] > 0);
  const reached = counts.active - missing.reduce((sum, { name }) => sum + counts[name], 0);
  const text = t('reached', { reached, active: counts.active });
  const parts = missing.map(({ name, tone }) => ({ label: t(`${name}.title`), value: counts[name], tone }));
  return (
    <Section id="reach" title={t('title')}>
      <Text size="sm">{text}</Text>
      <ShareBar
        label={text}
        total={counts.active}
        parts={[{ label: t('heard'), value: reached, tone: 'accent' }, ...parts]}
      />
      {missing.length > 0 && (
        <ul className="plain-list divided">
          {missing.map(({ name, filter, tone }) => (
            <WarningRow
              key={name}
              mark={<Swatch tone={tone} />}
              href={`/owner/employees?state=active&${filter}`}
              title={t(`${name}.title`)}
              text={t(`${name}.cure`)}
            >
              <strong className="figure">{counts[name]}</strong>
            </WarningRow>
          ))}
        </ul>
      )}
    </Section>
  );
}

async function KeysToCheck({ owner }: { owner: Owner }) {
  const keys = await listKeysToCheck(owner);
  if (keys.length === 0) return null;
  const [t, format] = await Promise.all([getTranslations('owner.odd'), getFormatter()]);
  const reasonOf = (key: KeyToCheck) => {
    if (key.what === 'refused') return t('refusedText', { count: key.count, requests: key.requests });
    if (key.what === 'expired' || key.what === 'expiring') {
      const day = format.dateTime(new Date(`${key.on}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC' });
      return key.what === 'expiring' ? t('expiringText', { day }) : t('expiredText', { day, count: key.count });
    }
    const { lastCallAt } = key;
    if (!lastCallAt) return t('neverText');
    const when = () => <ShortTime at={lastCallAt} />;
    if (key.what !== 'revoked-calling') return t.rich('unusedText', { when });
    return t.rich('callingText', { count: key.count, address: key.address, when });
  };
  return (
    <Section id="odd-keys" title={t('title')}>
      <ul className="plain-list divided">
        {keys.slice(0, 4).map((key) => (
          <WarningRow key={key.id} href={`/owner/keys/${key.id}`} title={key.name} text={reasonOf(key)} />
        ))}
      </ul>
      <div>
        <TextLink href="/owner/keys">{t('all')}</TextLink>
        {' · '}
        <TextLink href="/owner/audit/refused">{t('refused')}</TextLink>
      </div>
    </Section>
  );
}

async function HomeAlarms({ owner }: { owner: Owner }) {
  const [alarms, hasDevice] = await Promise.all([findActiveAlarms(owner), hasOwnerDevice(owner)]);
  return <AlarmCards initial={alarms} hasDevice={hasDevice} />;
}

async function OwnerChanges({ owner }: { owner: Owner }) {
  const changes = await listOwnerChanges(owner);
  if (changes.length === 0) return null;
  const [t, describer] = await Promise.all([getTranslations('owner.changes'), makeDescriber()]);
  return (
    <Section id="owner-changes" title={t('title')} lead={t('lead')}>
      <Items>
        {changes.map((entry) => (
          <Item key={entry.id} name={describer.event(entry)}>
            <bdi>{describer.actor(entry)}</bdi> · <Timestamp at={entry.at} />
          </Item>
        ))}
      </Items>
      <TextLink href="/owner/settings/access">{t('owners')}</TextLink>
    </Section>
  );
}

const shownSends = 2;
const planned = '/owner/sends/planned';

// The whole row is its link; `action` says what happens there.
type Need = { icon: LucideIcon; href: string; title: ReactNode; action: ReactNode } & {
  [data: `data-${string}`]: string | number;
};

// What waits for the owner or manager, each with what to do about it; nothing if nothing does.
async function Needs({ manager }: { manager: Manager }) {
  const [t, unconfirmed, requests, { noAccount }, { missed, next }] = await Promise.all([
    getTranslations('owner.needs'),
    listUnconfirmedSends(manager),
    countJoinRequests(manager),
    countUnreached(manager),
    findPlannedForHome(manager),
  ]);
  const sends = unconfirmed ?? [];
  const shown = sends.length > shownSends ? sends.slice(0, shownSends - 1) : sends;
  const missedCount = missed.reduce((sum, { missedBefore }) => sum + 1 + missedBefore, 0);
  const needs: (Need | false)[] = [
    sends.length > shown.length && {
      ...{ icon: BadgeCheck, href: '/owner/sends?state=unconfirmed', action: t('see') },
      title: t('unconfirmed', { count: sends.length - shown.length }),
    },
    requests > 0 && {
      ...{ icon: UserRoundPlus, href: '/owner/employees/join', action: t('see') },
      title: t('requests', { count: requests }),
    },
    noAccount > 0 && {
      ...{ icon: UserRoundX, href: '/owner/employees?state=active&account=none&choose=all', action: t('invite') },
      title: t('noAccount', { count: noAccount }),
    },
    missed[0] !== undefined && {
      ...{ icon: CalendarX2, href: planned, action: t('decide'), 'data-missed': missedCount },
      title: t('missed', { count: missedCount, title: withoutMarks(missed[0].title) }),
    },
    missedCount === 0 &&
      next !== null && {
        ...{ icon: CalendarClock, href: planned, 'data-next': next.draftId, title: <MarkedText text={next.title} /> },
        action: <TimeOf what={t('leaves')} at={next.leavesAt} />,
      },
  ];
  const rows = needs.filter((need) => need !== false);
  if (shown.length + rows.length === 0) return null;
  return (
    <Section id="needs" title={t('title')}>
      <ul className="plain-list divided">
        {shown.map(({ no, title, missing }) => (
          <WarningRow key={no} mark={<BadgeCheck />} href={`/owner/sends/${no}`} title={<MarkedText text={title} />}>
            <RemindAll no={no} count={missing} title={title} />
          </WarningRow>
        ))}
        {rows.map(({ icon: Icon, action, ...row }) => (
          <WarningRow key={row.href} mark={<Icon />} {...row}>
            <span className="row-action">{action}</span>
          </WarningRow>
        ))}
      </ul>
    </Section>
  );
}
