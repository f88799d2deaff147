import { getFormatter, getTranslations } from 'next-intl/server';
import { Section } from '#app/ui/frame/page-head.tsx';
import { Bars } from '#app/ui/pictures/pictures.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import type { Manager } from '#server/principals.ts';
import { countSendsByDay } from '#server/sends/history/by-day.ts';

/** The sends of the last 14 days as a picture, with a table behind it. */
export async function SendsByDay({ manager }: { manager: Manager }) {
  const [days, t, format] = await Promise.all([
    countSendsByDay(manager),
    getTranslations('owner.byDay'),
    getFormatter(),
  ]);
  // The day is a date without a zone, so it is formatted as one.
  const asDate = (day: string) => new Date(`${day}T00:00:00Z`);
  const total = days.reduce((sum, { sends }) => sum + sends, 0);
  return (
    <Section id="by-day" title={t('title')}>
      <Bars
        label={t('label', { total, today: days.at(-1)?.sends ?? 0 })}
        columns={[t('day'), t('sends')]}
        tableText={t('table')}
        bars={days.map(({ day, sends }) => ({
          label: format.dateTime(asDate(day), { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }),
          short: format.dateTime(asDate(day), { day: 'numeric', timeZone: 'UTC' }),
          value: sends,
        }))}
      />
      {manager.kind === 'owner' && (
        <div>
          <TextLink href="/owner/statistics">{t('statistics')}</TextLink>
        </div>
      )}
    </Section>
  );
}
