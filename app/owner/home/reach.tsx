import { getTranslations } from 'next-intl/server';
import { Section } from '#app/ui/frame/page-head.tsx';
import { ShareBar } from '#app/ui/pictures/pictures.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import { countOutOfReach } from '#server/companies/overview.ts';
import type { Manager } from '#server/principals.ts';

const reasons = ['noAccount', 'neverSeen', 'notSeenLately', 'noSound'] as const;
const filters = {
  noAccount: 'account=none',
  neverSeen: 'account=own&portal=never',
  notSeenLately: 'portal=away',
  noSound: 'portal=silent',
};
const tones = { noAccount: 'attention', neverSeen: 'attention', notSeenLately: 'attention', noSound: 'soft' } as const;

/**
 * How many active employees a send reaches as one bar. Each reason why it may not reach the others
 * is a row that opens the list of these people.
 */
export async function Reach({ manager }: { manager: Manager }) {
  const t = await getTranslations('owner.reach');
  const counts = await countOutOfReach(manager);
  const missing = reasons.filter((reason) => counts[reason] > 0);
  const reached = counts.active - missing.reduce((sum, reason) => sum + counts[reason], 0);
  const text = t('reached', { reached, active: counts.active });
  return (
    <Section id="reach" title={t('title')}>
      <p className="reach-text">{text}</p>
      <ShareBar
        label={text}
        total={counts.active}
        parts={[
          { label: t('heard'), value: reached, tone: 'accent' },
          ...missing.map((reason) => ({
            label: t(`${reason}.title`),
            value: counts[reason],
            tone: tones[reason],
          })),
        ]}
      />
      {missing.length > 0 && (
        <ul className="plain-list">
          {missing.map((reason) => (
            <li key={reason} className="gap-row">
              <span className="tone-dot" data-tone={tones[reason]} aria-hidden />
              <div className="recent-text">
                <PageLink href={`/owner/employees?state=active&${filters[reason]}`} className="row-link">
                  {t(`${reason}.title`)}
                </PageLink>
                <div className="second-line">{t(`${reason}.cure`)}</div>
              </div>
              <strong className="figure">{counts[reason]}</strong>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
