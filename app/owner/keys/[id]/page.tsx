import '#app/owner/keys/keys.css';
import { Alert, Code, Group, Skeleton, Stack } from '@mantine/core';
import { Clock, TriangleAlert } from 'lucide-react';
import { notFound } from 'next/navigation';
import { getFormatter, getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { titled } from '#app/language/page-title.ts';
import { KeyRejectedRequests, KeySends } from '#app/owner/keys/[id]/key-lists.tsx';
import { LastCall } from '#app/owner/keys/activity/call.tsx';
import { KeyActions } from '#app/owner/keys/dialogs/key-dialogs.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { Fact, Facts } from '#app/ui/lists/facts.tsx';
import { IdText } from '#app/ui/lists/list-query.ts';
import { Bars } from '#app/ui/pictures/pictures.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { env } from '#platform/config/settings.ts';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { readTraffic } from '#server/keys/key-activity.ts';
import { findKeyOverview, type KeyOverview } from '#server/keys/key-overview.ts';
import { listKeys } from '#server/keys/keys.ts';
import { expectedIntervals } from '#server/keys/limits.ts';
import type { Owner } from '#server/principals.ts';

export const generateMetadata = titled('keys', 'pageTitle');

/** The page of one key: its traffic, sends, refusals and settings, and the actions on it. */
export default async function OneKey({ params }: { params: Promise<{ id: string }> }) {
  const id = IdText.safeParse((await params).id).data;
  const owner = await requireOwner(`/owner/keys/${id ?? ''}`);
  const apiKey = id === undefined ? null : await findKeyOverview(owner, id);
  if (!apiKey) notFound();
  const [t, keys] = await Promise.all([getTranslations('keys'), listKeys(owner)]);
  const names = keys.filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name);
  const others = keys.map(({ id: other, name }) => ({ id: other, name }));
  return (
    <>
      <TextLink href={apiKey.revokedAt ? '/owner/keys?state=revoked' : '/owner/keys'}>{t('backToKeys')}</TextLink>
      <PageHead
        title={<bdi className="wrapping">{apiKey.name}</bdi>}
        lead={
          <Group component="span" gap="4px 12px">
            <span>
              {t('created')} <Timestamp at={apiKey.createdAt} />
            </span>
            <span>
              {t('fingerprint')} <Code>{apiKey.fingerprintStart}</Code>
            </span>
          </Group>
        }
      >
        {apiKey.revokedAt === null && <KeyActions apiKey={apiKey} names={names} baseUrl={env().APP_URL} />}
      </PageHead>
      <Stack gap={16} className="key-page">
        <KeyNotice apiKey={apiKey} />
        <Suspense fallback={<Skeleton height={260} radius="lg" />}>
          <KeyPictures owner={owner} apiKey={apiKey} />
        </Suspense>
        <Suspense fallback={<Skeleton height={200} radius="lg" />}>
          <KeySends owner={owner} keyId={apiKey.id} />
        </Suspense>
        <Suspense fallback={<Skeleton height={120} radius="lg" />}>
          <KeyRejectedRequests owner={owner} keyId={apiKey.id} />
        </Suspense>
        <KeyFacts apiKey={apiKey} others={others} />
      </Stack>
    </>
  );
}

type Named = { id: number; name: string };

/** The settings of a key, and the keys that it replaces or that replace it. */
async function KeyFacts({ apiKey, others }: { apiKey: KeyOverview; others: Named[] }) {
  const [t, format] = await Promise.all([getTranslations('keys'), getFormatter()]);
  const { id, note, expiry, mustConfirm, expectedEveryMinutes, lastUse, replacesId } = apiKey;
  const every = expectedIntervals.find((minutes) => minutes === expectedEveryMinutes);
  const replaced = others.find((other) => other.id === replacesId);
  const day = expiry && format.dateTime(new Date(`${expiry.on}T00:00:00Z`), { dateStyle: 'full', timeZone: 'UTC' });
  return (
    <Section id="settings" title={t('settings')}>
      <Facts>
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
      </Facts>
      <div>
        <TextLink href={`/owner/audit?key=${id}`}>{t('auditOfKey')}</TextLink>
      </div>
    </Section>
  );
}

/** What its owner must know about a key first: it is revoked, has expired, or expires soon. */
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
      icon={isExpired ? <TriangleAlert aria-hidden /> : <Clock aria-hidden />}
      data-notice={expiry.state}
    >
      {t(isExpired ? 'noticeExpired' : 'noticeSoon', { day })}
    </Alert>
  );
}

// A label below each sixth hour and each seventh day, away from the edges.
const isHourLabelled = (place: number) => place % 6 === 2;
const isDayLabelled = (place: number) => place % 7 === 4;

/** The requests of a key in the last 24 hours and 30 days, as pictures with a table behind each. */
async function KeyPictures({ owner, apiKey }: { owner: Owner; apiKey: KeyOverview }) {
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
