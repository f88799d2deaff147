import { BadgeCheck, CalendarClock, CalendarX2, UserRoundPlus, UserRoundX } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { RemindAll } from '#app/owner/sends/[no]/send-buttons.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { WarningRow } from '#app/ui/lists/warning-row.tsx';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import { TimeOf } from '#app/ui/text/timestamp.tsx';
import { countOutOfReach } from '#server/companies/overview.ts';
import { countJoinRequests } from '#server/employees/join-requests.ts';
import type { Manager } from '#server/principals.ts';
import { listUnconfirmedSends } from '#server/sends/history/unconfirmed.ts';
import { findPlannedForHome } from '#server/sends/planned/planned-list.ts';

const shownSends = 2;

/** What waits for the owner or manager, each with what to do about it; nothing if nothing does. */
export async function Needs({ manager }: { manager: Manager }) {
  const [t, sends, requests, { noAccount }, { missed, next }] = await Promise.all([
    getTranslations('owner.needs'),
    listUnconfirmedSends(manager),
    countJoinRequests(manager),
    countOutOfReach(manager),
    findPlannedForHome(manager),
  ]);
  const shown = sends.length > shownSends ? sends.slice(0, shownSends - 1) : sends;
  const missedCount = missed.reduce((sum, { missedBefore }) => sum + 1 + missedBefore, 0);
  const [first] = missed;
  if (sends.length + requests + noAccount + missed.length === 0 && !next) return null;
  return (
    <Section id="needs" title={t('title')}>
      <ul className="plain-list divided">
        {shown.map(({ no, title, missing }) => (
          <WarningRow
            key={no}
            mark={<BadgeCheck />}
            href={`/owner/sends/${no}`}
            title={<MarkedText text={title} />}
            data-unconfirmed={no}
          >
            <RemindAll no={no} count={missing} isRow />
          </WarningRow>
        ))}
        {sends.length > shown.length && (
          <WarningRow
            mark={<BadgeCheck />}
            href="/owner/sends?state=unconfirmed"
            title={t('unconfirmed', { count: sends.length - shown.length })}
          >
            <Action>{t('see')}</Action>
          </WarningRow>
        )}
        {requests > 0 && (
          <WarningRow mark={<UserRoundPlus />} href="/owner/employees/join" title={t('requests', { count: requests })}>
            <Action>{t('see')}</Action>
          </WarningRow>
        )}
        {noAccount > 0 && (
          <WarningRow
            mark={<UserRoundX />}
            href="/owner/employees?state=active&account=none&choose=all"
            title={t('noAccount', { count: noAccount })}
          >
            <Action>{t('invite')}</Action>
          </WarningRow>
        )}
        {first ? (
          <WarningRow
            mark={<CalendarX2 />}
            href="/owner/sends/planned"
            title={missedCount === 1 ? <MarkedText text={first.title} /> : t('missed', { count: missedCount })}
            data-missed={missedCount}
          >
            <Action>{missedCount === 1 ? t('decideMissed') : t('decide')}</Action>
          </WarningRow>
        ) : (
          next && (
            <WarningRow
              mark={<CalendarClock />}
              href="/owner/sends/planned"
              title={<MarkedText text={next.title} />}
              data-next={next.draftId}
            >
              <span className="dimmed">
                <TimeOf what={t('leaves')} at={next.leavesAt} />
              </span>
            </WarningRow>
          )
        )}
      </ul>
    </Section>
  );
}

// The whole row is its link.
const Action = ({ children }: { children: string }) => (
  <span aria-hidden className="row-action">
    {children}
  </span>
);
