import { getFormatter, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { expectedIntervals } from '#app/owner/keys/expected-intervals.ts';
import { LastCall } from '#app/owner/keys/last-call.tsx';
import { Section } from '#app/ui/frame/section.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

type Named = { id: number; name: string };

/** The settings of a key, and the keys that it replaces or that replace it. */
export async function KeyFacts({ apiKey, others }: { apiKey: KeyOverview; others: Named[] }) {
  const [t, format] = await Promise.all([getTranslations('keys'), getFormatter()]);
  const { id, note, expiry, mustConfirm, expectedEveryMinutes, lastUse, replacesId } = apiKey;
  const every = expectedIntervals.find((minutes) => minutes === expectedEveryMinutes);
  const replaced = others.find((other) => other.id === replacesId);
  const day = expiry && format.dateTime(new Date(`${expiry.on}T00:00:00Z`), { dateStyle: 'full', timeZone: 'UTC' });
  return (
    <Section id="settings" title={t('settings')}>
      <dl className="facts">
        <Fact name={t('lastUsed')}>{lastUse ? <LastCall call={lastUse} /> : t('never')}</Fact>
        <Fact name={t('expires')}>{day ?? t('expiresNever')}</Fact>
        <Fact name={t('note')}>{note ? <span className="multiline">{note}</span> : t('noteNone')}</Fact>
        <Fact name={t('mustConfirmShort')}>{mustConfirm ? t('yes') : t('no')}</Fact>
        <Fact name={t('expectedShort')}>
          {every ? t('expectedBadge', { every: t(`every.${every}`) }) : t('every.off')}
        </Fact>
        {replaced && (
          <Fact name={t('replacesShort')}>
            <TextLink href={`/owner/keys/${replaced.id}`}>
              <bdi>{replaced.name}</bdi>
            </TextLink>
          </Fact>
        )}
      </dl>
      <div>
        <TextLink href={`/owner/audit?key=${id}`}>{t('auditOfKey')}</TextLink>
      </div>
    </Section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
