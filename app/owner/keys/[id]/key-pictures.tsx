import { getFormatter, getTranslations } from 'next-intl/server';
import { Section } from '#app/ui/frame/section.tsx';
import { Bars } from '#app/ui/pictures/bars.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';
import { readTraffic } from '#server/keys/key-traffic.ts';
import type { Owner } from '#server/principals.ts';

// A label below each sixth hour and each seventh day, away from the edges.
const isHourLabelled = (place: number) => place % 6 === 2;
const isDayLabelled = (place: number) => place % 7 === 4;

/** The requests of a key in the last 24 hours and 30 days, as pictures with a table behind each. */
export async function KeyPictures({ owner, apiKey }: { owner: Owner; apiKey: KeyOverview }) {
  const [{ hours, days }, t, format] = await Promise.all([
    readTraffic(owner, apiKey.id),
    getTranslations('keys'),
    getFormatter(),
  ]);
  const sum = (counts: { requests: number; refused: number }[], name: 'requests' | 'refused') =>
    counts.reduce((total, count) => total + count[name], 0);
  const text = (counts: { requests: number; refused: number }[]) =>
    t('pictureText', { count: sum(counts, 'requests'), refused: sum(counts, 'refused') });
  const hour = (at: Date, withDay: boolean) =>
    format.dateTime(at, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      ...(withDay && { day: 'numeric', month: 'short' }),
    });
  const asDate = (day: string) => new Date(`${day}T00:00:00Z`);
  return (
    <div className="key-pictures">
      <Section id="hours" title={t('hours')} lead={text(hours)}>
        <Bars
          label={`${t('hours')}: ${text(hours)}`}
          columns={[t('hour'), t('requestsHead')]}
          tableText={t('pictureTable')}
          bars={hours.map(({ at, requests }, place) => ({
            label: hour(at, true),
            short: isHourLabelled(place) ? hour(at, false) : undefined,
            value: requests,
          }))}
        />
      </Section>
      <Section id="days" title={t('days')} lead={text(days)}>
        <Bars
          label={`${t('days')}: ${text(days)}`}
          columns={[t('day'), t('requestsHead')]}
          tableText={t('pictureTable')}
          bars={days.map(({ day, requests }, place) => ({
            label: format.dateTime(asDate(day), { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }),
            short: isDayLabelled(place)
              ? format.dateTime(asDate(day), { day: 'numeric', month: 'short', timeZone: 'UTC' })
              : undefined,
            value: requests,
          }))}
        />
      </Section>
    </div>
  );
}
