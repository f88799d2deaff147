import { BadgeCheck, CalendarClock, CalendarX2, type LucideIcon, UserRoundPlus, UserRoundX } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { countUnreached } from '#app/owner/home/cards.tsx';
import { RemindAll } from '#app/owner/sends/[no]/send-buttons.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { WarningRow } from '#app/ui/lists/warning-row.tsx';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import { TimeOf } from '#app/ui/text/timestamp.tsx';
import { countJoinRequests } from '#server/employees/join-requests.ts';
import { withoutMarks } from '#server/notifications/text-marks.ts';
import type { Manager } from '#server/principals.ts';
import { listUnconfirmedSends } from '#server/sends/history/unconfirmed.ts';
import { findPlannedForHome } from '#server/sends/planned/planned-list.ts';

const shownSends = 2;
const planned = '/owner/sends/planned';

// The whole row is its link; `action` says what happens there.
type Need = { icon: LucideIcon; href: string; title: ReactNode; action: ReactNode } & {
  [data: `data-${string}`]: string | number;
};

/** What waits for the owner or manager, each with what to do about it; nothing if nothing does. */
export async function Needs({ manager }: { manager: Manager }) {
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
