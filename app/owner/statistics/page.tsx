import { Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { ChartNoAxesColumn, ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';
import { getFormatter, getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { CsvLink, EmptyState } from '#app/ui/lists/list-parts.tsx';
import { addressOf, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { Cell, ListRow, ListTable, RowLink } from '#app/ui/lists/list-table.tsx';
import { Bars, ShareBar } from '#app/ui/pictures/charts.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findStatisticsSpan, listStatistics, type MonthOfSends } from '#server/sends/statistics/statistics.ts';

const path = '/owner/statistics';
const shownMonths = 12;

// A month of this century as `2026-11`.
const MonthText = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/);

export const generateMetadata = titled('statistics', 'title');

export default async function Statistics({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = readQuery({ month: MonthText }, await searchParams);
  const owner = await requireOwner(addressOf(path, query));
  const [t, format] = await Promise.all([getTranslations('statistics'), getFormatter()]);
  const { first, current, countedAt } = await findStatisticsSpan(owner);
  if (first === null)
    return (
      <>
        <PageHead title={t('title')} />
        <EmptyState icon={<ChartNoAxesColumn size={32} />} title={t('empty')} text={t('emptyText')} />
      </>
    );
  const month = query.month && query.month >= first && query.month <= current ? query.month : current;
  const from = addMonths(month, 1 - shownMonths);
  const sums = await listStatistics(owner, { from, to: month });
  const nameOf = (iso: string) => format.dateTime(new Date(iso), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const shown = Array.from({ length: shownMonths }, (_, index) => addMonths(from, index)).filter((iso) => iso >= first);
  const months = shown.map((iso) => ({
    label: nameOf(iso),
    short: format.dateTime(new Date(iso), { month: 'short', timeZone: 'UTC' }),
    ...addUp(sums.filter((sum) => sum.month === iso)),
  }));
  const ofMonth = sums.filter((sum) => sum.month === month);
  const total = addUp(ofMonth);
  const columns = [
    { name: t('sender'), width: 'minmax(0, 2fr)' },
    { name: t('sends'), width: '6rem', end: true },
    { name: t('reach'), width: '7rem', end: true },
    { name: t('read'), width: 'minmax(9.375rem, 1fr)' },
    { name: t('confirmed'), width: 'minmax(9.375rem, 1fr)' },
  ];
  const percent = (value: number | null) => (value === null ? '–' : format.number(value / 100, { style: 'percent' }));
  const partOf = (name: 'readOf' | 'confirmedOf', count: number, whole: number) => {
    if (whole === 0) return <span className="dimmed">–</span>;
    const text = t(name, { count, whole });
    return (
      <Stack component="span" gap={4} miw={88} title={text}>
        <span>{percent(percentOf(count, whole))}</span>
        <ShareBar label={text} total={whole} parts={[{ label: text, value: count, tone: 'accent' }]} />
      </Stack>
    );
  };
  const figures = {
    sends: format.number(total.sends),
    reach: format.number(total.reach),
    read: percent(percentOf(total.readWithinHour, total.reach)),
    confirmed: percent(percentOf(total.confirmed, total.toConfirm)),
  };
  return (
    <>
      <PageHead title={t('title')} lead={countedAt && t.rich('countedAt', { at: () => <Timestamp at={countedAt} /> })}>
        <CsvLink href={`${path}/csv`} />
      </PageHead>
      <Group component="nav" aria-label={t('months')} gap="xs" my="xs">
        <MonthStep month={month > first ? addMonths(month, -1) : null} label={t('before')} icon={ChevronLeft} />
        <Title order={2}>{nameOf(month)}</Title>
        <MonthStep month={month < current ? addMonths(month, 1) : null} label={t('after')} icon={ChevronRight} />
      </Group>
      <Stack>
        <Card>
          <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0}>
            {Object.entries(figures).map(([name, value]) => (
              <div key={name} className="figure" data-figure={name}>
                <Text component="dt" fz="var(--type-13)" c="dimmed">
                  {t(name as keyof typeof figures)}
                </Text>
                <Text component="dd" m={0} mih={44} fz={24} lh={1.3} fw="var(--weight-title)">
                  {value}
                </Text>
              </div>
            ))}
          </SimpleGrid>
        </Card>
        {ofMonth.length > 1 && (
          <Section id="senders" title={t('senders')} lead={t('sendersLead')}>
            <ListTable label={t('senders')} columns={columns}>
              {ofMonth.map(({ keyId, keyName, sends, reach, readWithinHour, toConfirm, confirmed }) => (
                <ListRow key={keyId ?? 0} data-sender={keyId ?? 'hand'}>
                  <Cell at="main">
                    {keyId === null ? (
                      <strong>{t('isManual')}</strong>
                    ) : (
                      <RowLink href={`/owner/keys/${keyId}`}>{keyName}</RowLink>
                    )}
                  </Cell>
                  <Cell end>{format.number(sends)}</Cell>
                  <Cell end>{format.number(reach)}</Cell>
                  <Cell at="aside">{partOf('readOf', readWithinHour, reach)}</Cell>
                  <Cell>{partOf('confirmedOf', confirmed, toConfirm)}</Cell>
                  <Cell at="second" phone>
                    {t('inShort', { sends, reach })}
                    {toConfirm > 0 && (
                      <span> · {t('confirmedShort', { percent: percentOf(confirmed, toConfirm) ?? 0 })}</span>
                    )}
                  </Cell>
                </ListRow>
              ))}
            </ListTable>
          </Section>
        )}
        {months.filter(({ sends }) => sends > 0).length > 1 && (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Section id="sends-by-month" title={t('sendsByMonth')}>
              <Bars
                label={t('sendsLabel', { count: total.sends, month: nameOf(month) })}
                figuresText={t('table')}
                bars={months.map((sum) => ({ ...sum, value: sum.sends }))}
              />
            </Section>
            <Section id="read-by-month" title={t('readByMonth')}>
              <Bars
                label={t('readLabel', { share: figures.read, month: nameOf(month) })}
                figuresText={t('table')}
                bars={months.map((sum) => ({ ...sum, value: percentOf(sum.readWithinHour, sum.reach) ?? 0 }))}
              />
            </Section>
          </SimpleGrid>
        )}
      </Stack>
    </>
  );
}

function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

const percentOf = (count: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((100 * count) / whole);

function addUp(sums: MonthOfSends[]) {
  const total = { sends: 0, reach: 0, readWithinHour: 0, toConfirm: 0, confirmed: 0 };
  for (const sum of sums) for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += sum[name];
  return total;
}

// Without a month its space stays empty, so that the month's name between the buttons does not move.
function MonthStep({ month, label, icon: Icon }: { month: string | null; label: string; icon: LucideIcon }) {
  if (month === null) return <span style={{ width: 44 }} />;
  return (
    <PageLink className="icon-button" href={addressOf(path, { month })} aria-label={label}>
      <Icon size={20} />
    </PageLink>
  );
}
