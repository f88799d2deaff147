import '#app/owner/keys/keys.css';
import { Alert, Code, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { Clock, TriangleAlert } from 'lucide-react';
import { notFound } from 'next/navigation';
import { getFormatter, getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { RejectedRequestList } from '#app/owner/audit/refused/rejected-request-list.tsx';
import { LastCall } from '#app/owner/keys/activity/call.tsx';
import { KeyActions } from '#app/owner/keys/dialogs/key-dialogs.tsx';
import { NewestSends } from '#app/owner/sends/send-table.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { FactRows, TechnicalFacts } from '#app/ui/lists/facts.tsx';
import { IdText } from '#app/ui/lists/list-query.ts';
import { Bars } from '#app/ui/pictures/charts.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { env } from '#platform/config/settings.ts';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { expectedIntervals } from '#server/keys/key-limits.ts';
import { findKeyOverview, type KeyOverview, readTraffic } from '#server/keys/key-overview.ts';
import { listKeys } from '#server/keys/keys.ts';
import { listRejectedRequests } from '#server/keys/rejected-requests.ts';
import type { Owner } from '#server/principals.ts';

export const generateMetadata = titled('keys', 'pageTitle');

export default async function OneKey({ params }: { params: Promise<{ id: string }> }) {
  const id = IdText.safeParse((await params).id).data;
  const owner = await requireOwner(`/owner/keys/${id ?? ''}`);
  const apiKey = id === undefined ? null : await findKeyOverview(owner, id);
  if (!apiKey) notFound();
  const [t, keys] = await Promise.all([getTranslations('keys'), listKeys(owner)]);
  const names = keys.filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name);
  return (
    <>
      <PageHead
        back={{ href: apiKey.revokedAt ? '/owner/keys?state=revoked' : '/owner/keys', text: t('backToKeys') }}
        title={<bdi className="wrapping">{apiKey.name}</bdi>}
        lead={
          <>
            {t('created')} <Timestamp at={apiKey.createdAt} />
          </>
        }
      >
        {apiKey.revokedAt === null && <KeyActions apiKey={apiKey} names={names} baseUrl={env().APP_URL} />}
      </PageHead>
      <Stack gap={16}>
        <KeyNotice apiKey={apiKey} />
        <Suspense fallback={<Skeleton height={260} radius="lg" />}>
          <KeyPictures owner={owner} apiKey={apiKey} />
        </Suspense>
        <Suspense fallback={<Skeleton height={200} radius="lg" />}>
          <NewestSends
            manager={owner}
            keyId={apiKey.id}
            id="sends"
            title={t('sendsTitle')}
            none={t('sendsNone')}
            all={{ href: `/owner/sends?sender=${apiKey.id}`, text: t('sendsAll') }}
          />
        </Suspense>
        <Suspense fallback={<Skeleton height={120} radius="lg" />}>
          <KeyRejectedRequests owner={owner} keyId={apiKey.id} />
        </Suspense>
        <KeyFacts apiKey={apiKey} replaced={keys.find((key) => key.id === apiKey.replacesId)} />
      </Stack>
    </>
  );
}

async function KeyFacts({ apiKey, replaced }: { apiKey: KeyOverview; replaced?: { id: number; name: string } }) {
  const [t, format] = await Promise.all([getTranslations('keys'), getFormatter()]);
  const { id, note, expiry, mustConfirm, expectedEveryMinutes, lastUse } = apiKey;
  const every = expectedIntervals.find((minutes) => minutes === expectedEveryMinutes);
  const day = expiry && format.dateTime(new Date(`${expiry.on}T00:00:00Z`), { dateStyle: 'full', timeZone: 'UTC' });
  const expected = every ? t('expectedBadge', { every: t(`every.${every}`) }) : t('every.off');
  const former = replaced && (
    <TextLink href={`/owner/keys/${replaced.id}`}>
      <bdi>{replaced.name}</bdi>
    </TextLink>
  );
  return (
    <Section id="settings" title={t('settings')}>
      <FactRows
        rows={[
          { name: t('lastUsed'), value: lastUse ? <LastCall call={lastUse} /> : t('never') },
          { name: t('expires'), value: day ?? t('expiresNever') },
          { name: t('note'), value: note ? <span className="multiline">{note}</span> : t('noteNone') },
          { name: t('mustConfirmShort'), value: mustConfirm ? t('yes') : t('no') },
          { name: t('expectedShort'), value: expected },
          former !== undefined && { name: t('replacesShort'), value: former },
        ]}
      />
      <TechnicalFacts rows={[{ name: t('fingerprint'), value: <Code>{apiKey.fingerprintStart}</Code> }]} />
      <TextLink href={`/owner/audit?key=${id}`}>{t('auditOfKey')}</TextLink>
    </Section>
  );
}

async function KeyNotice({ apiKey: { expiry, revokedAt } }: { apiKey: KeyOverview }) {
  const t = await getTranslations('keys');
  if (revokedAt)
    return (
      <Alert color="gray" role="note" data-notice="revoked">
        {t.rich('noticeRevoked', { when: () => <Timestamp at={revokedAt} /> })}
      </Alert>
    );
  if (!expiry || expiry.state === 'later') return null;
  const format = await getFormatter();
  const day = format.dateTime(new Date(`${expiry.on}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC' });
  const isExpired = expiry.state === 'expired';
  return (
    <Alert
      color={isExpired ? 'red' : 'orange'}
      role="note"
      icon={isExpired ? <TriangleAlert size={24} /> : <Clock size={24} />}
      data-notice={expiry.state}
    >
      {t(isExpired ? 'noticeExpired' : 'noticeSoon', { day })}
    </Alert>
  );
}

// A label below each sixth hour and each seventh day, away from the edges.
const isHourLabelled = (place: number) => place % 6 === 2;
const isDayLabelled = (place: number) => place % 7 === 4;

async function KeyPictures({ owner, apiKey }: { owner: Owner; apiKey: KeyOverview }) {
  const [{ hours, days }, t, format] = await Promise.all([
    readTraffic(owner, apiKey.id),
    getTranslations('keys'),
    getFormatter(),
  ]);
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const day = { day: 'numeric', month: 'short' } as const;
  const longDay = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  const hourBars = hours.map(({ hour, requests }, place) => ({
    label: format.dateTime(hour, { ...time, ...day }),
    short: isHourLabelled(place) ? format.dateTime(hour, time) : undefined,
    value: requests,
  }));
  const dayBars = days.map(({ day: iso, requests }, place) => {
    const dayStart = new Date(`${iso}T00:00:00Z`);
    const short = isDayLabelled(place) ? format.dateTime(dayStart, { ...day, timeZone: 'UTC' }) : undefined;
    return { label: format.dateTime(dayStart, longDay), short, value: requests };
  });
  const picture = (id: 'hours' | 'days', bars: typeof dayBars) => {
    const counts = id === 'hours' ? hours : days;
    const sum = (name: 'requests' | 'refused') => counts.reduce((total, count) => total + count[name], 0);
    const lead = t('pictureText', { count: sum('requests'), refused: sum('refused') });
    return (
      <Section id={id} title={t(id)} lead={lead}>
        <Bars label={`${t(id)}: ${lead}`} figuresText={t('pictureTable')} bars={bars} />
      </Section>
    );
  };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} className="key-pictures">
      {picture('hours', hourBars)}
      {picture('days', dayBars)}
    </SimpleGrid>
  );
}

const maxListed = 5;

async function KeyRejectedRequests({ owner, keyId }: { owner: Owner; keyId: number }) {
  const [t, { refusals }] = await Promise.all([
    getTranslations('keys'),
    listRejectedRequests(owner, { key: keyId }, { limit: maxListed }),
  ]);
  return (
    <Section id="refusals" title={t('refusalsTitle')}>
      {refusals.length === 0 && <p className="dimmed">{t('refusalsNone')}</p>}
      {refusals.length > 0 && <RejectedRequestList refusals={refusals} />}
      <TextLink href={`/owner/audit/refused?key=${keyId}`}>{t('refusalsAll')}</TextLink>
    </Section>
  );
}
