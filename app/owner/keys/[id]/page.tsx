import '@mantine/core/styles/Code.css';
import '#app/owner/keys/keys.css';
import { Alert, Code, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { Clock, TriangleAlert } from 'lucide-react';
import { notFound } from 'next/navigation';
import { getFormatter, getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { getRejectedRequestTexts } from '#app/owner/audit/refused/rejected-request-texts.ts';
import { useOriginText } from '#app/owner/keys/activity/origin-text.ts';
import { KeyActions } from '#app/owner/keys/dialogs/key-dialogs.tsx';
import { NewestSends } from '#app/owner/sends/send-table.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { FactRows, TechnicalFacts } from '#app/ui/lists/facts.tsx';
import { WarningRow } from '#app/ui/lists/items.tsx';
import { IdText } from '#app/ui/lists/list-query.ts';
import { SparkLine } from '#app/ui/pictures/charts.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { TimeOf, Timestamp } from '#app/ui/text/timestamp.tsx';
import { env } from '#platform/config/settings.ts';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { expectedIntervals } from '#server/keys/key-limits.ts';
import { findKeyOverview, type KeyCall, type KeyOverview } from '#server/keys/key-overview.ts';
import { listKeys } from '#server/keys/keys.ts';
import { listRejectedRequests } from '#server/keys/rejected-requests.ts';
import type { Owner } from '#server/principals.ts';

export const generateMetadata = titled('keys', 'pageTitle');

const hourMs = 3_600_000;
const hourFormat = { hour: '2-digit', hourCycle: 'h23', day: 'numeric', month: 'short' } as const;

export default async function OneKey({ params }: { params: Promise<{ id: string }> }) {
  const id = IdText.safeParse((await params).id).data;
  const owner = await requireOwner(`/owner/keys/${id ?? ''}`);
  const apiKey = id === undefined ? null : await findKeyOverview(owner, id);
  if (!apiKey) notFound();
  const [t, format, keys] = await Promise.all([getTranslations('keys'), getFormatter(), listKeys(owner)]);
  const names = keys.filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name);
  const { requests, refused, hourly, lastUse, expiry, revokedAt } = apiKey;
  const day = expiry && format.dateTime(new Date(`${expiry.on}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });
  const use = (
    <>
      {lastUse ? t.rich('usedAgo', { when: () => <TimeAgo at={lastUse.at} /> }) : t('never')}
      {revokedAt === null && ` · ${day ? t('expiresSoon', { day }) : t('expiresNever')}`}
    </>
  );
  const traffic = t('traffic24', { count: requests, refused });
  return (
    <>
      <PageHead
        back={{ href: revokedAt ? '/owner/keys?state=revoked' : '/owner/keys', text: t('title') }}
        compact
        title={<bdi className="wrapping">{apiKey.name}</bdi>}
        lead={use}
      >
        {revokedAt === null && <KeyActions apiKey={apiKey} names={names} baseUrl={env().APP_URL} />}
      </PageHead>
      <Stack gap={8}>
        <KeyNotice apiKey={apiKey} />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing={8} style={{ alignItems: 'end' }}>
          <div>
            <Text size="sm">{traffic}</Text>
            {hourly.filter((count) => count > 0).length > 1 && <SparkLine label={traffic} values={hourly} isLarge />}
          </div>
          <KeyRejectedRequests owner={owner} keyId={apiKey.id} />
        </SimpleGrid>
        <Suspense fallback={<Skeleton height={200} radius="lg" />}>
          <Section id="sends" title={t('sendsTitle')}>
            <NewestSends manager={owner} keyId={apiKey.id} none={t('sendsNone')} />
            <TextLink href={`/owner/sends?sender=${apiKey.id}`}>{t('sendsAll')}</TextLink>
          </Section>
        </Suspense>
        <KeyFacts apiKey={apiKey} replaced={keys.find((key) => key.id === apiKey.replacesId)} />
      </Stack>
    </>
  );
}

async function KeyFacts({ apiKey, replaced }: { apiKey: KeyOverview; replaced?: { id: number; name: string } }) {
  const [t, format] = await Promise.all([getTranslations('keys'), getFormatter()]);
  const { id, createdAt, note, mustConfirm, expectedEveryMinutes, lastUse, hourly } = apiKey;
  const every = expectedIntervals.find((minutes) => minutes === expectedEveryMinutes);
  const expected = every ? t('expectedBadge', { every: t(`every.${every}`) }) : t('every.off');
  const former = replaced && (
    <TextLink href={`/owner/keys/${replaced.id}`}>
      <bdi>{replaced.name}</bdi>
    </TextLink>
  );
  const hours = hourly.map((requests, index) => {
    const hour = new Date(Date.now() - (hourly.length - 1 - index) * hourMs);
    return requests > 0 && { name: format.dateTime(hour, hourFormat), value: requests };
  });
  return (
    <Section id="settings" title={t('settings')}>
      <FactRows
        rows={[
          { name: t('lastUsed'), value: lastUse ? <LastCall call={lastUse} /> : t('never') },
          { name: t('created'), value: <Timestamp at={createdAt} /> },
          { name: t('note'), value: note ? <span className="multiline">{note}</span> : t('noteNone') },
          { name: t('mustConfirmShort'), value: mustConfirm ? t('yes') : t('no') },
          { name: t('expectedShort'), value: expected },
          former !== undefined && { name: t('replacesShort'), value: former },
        ]}
      />
      {hours.some(Boolean) && (
        <details>
          <summary>{t('hours')}</summary>
          <FactRows rows={hours} />
        </details>
      )}
      <TechnicalFacts rows={[{ name: t('fingerprint'), value: <Code>{apiKey.fingerprintStart}</Code> }]} />
      <TextLink href={`/owner/audit?key=${id}`}>{t('auditOfKey')}</TextLink>
    </Section>
  );
}

function LastCall({ call }: { call: KeyCall }) {
  const origin = useOriginText()(call);
  return (
    <>
      <TimeAgo at={call.at} />
      <div className="fine-print">
        <Timestamp at={call.at} />
      </div>
      <Text className="fine-print" lineClamp={3} title={origin}>
        {origin}
      </Text>
    </>
  );
}

const notices = { expired: ['red', TriangleAlert, 'noticeExpired'], soon: ['orange', Clock, 'noticeSoon'] } as const;

async function KeyNotice({ apiKey: { expiry, revokedAt } }: { apiKey: KeyOverview }) {
  const t = await getTranslations('keys');
  if (revokedAt)
    return (
      <Alert color="gray" role="note">
        {t.rich('noticeRevoked', { when: () => <Timestamp at={revokedAt} /> })}
      </Alert>
    );
  if (!expiry || expiry.state === 'later') return null;
  const format = await getFormatter();
  const day = format.dateTime(new Date(`${expiry.on}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC' });
  const [color, Icon, text] = notices[expiry.state];
  return (
    <Alert color={color} role="note" icon={<Icon size={24} />}>
      {t(text, { day })}
    </Alert>
  );
}

async function KeyRejectedRequests({ owner, keyId }: { owner: Owner; keyId: number }) {
  const [newest] = (await listRejectedRequests(owner, { key: keyId }, { limit: 1 })).refusals;
  if (!newest) return null;
  const [t, textOf] = await Promise.all([getTranslations('keys'), getRejectedRequestTexts()]);
  return (
    <Section id="refusals" title={t('refusalsTitle')} quiet>
      <ul className="plain-list divided">
        <WarningRow
          mark={<TriangleAlert color="var(--attention)" />}
          href={`/owner/audit/refused?key=${keyId}`}
          title={textOf(newest).reason}
        >
          <span className="dimmed">
            <TimeOf what={t('failedAt')} at={newest.at} />
          </span>
        </WarningRow>
      </ul>
    </Section>
  );
}
