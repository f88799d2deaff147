import { Alert, Card, Group, Stack, Text } from '@mantine/core';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { titled } from '#app/language/page-title.ts';
import { Recipients, RecipientsPlaceholder } from '#app/owner/sends/[no]/recipients.tsx';
import { CorrectButton, RemindButton, SendAgain, WithdrawButton } from '#app/owner/sends/[no]/send-buttons.tsx';
import { Stats } from '#app/owner/sends/[no]/stats.tsx';
import { sayRecipients } from '#app/owner/sends/recipients-text.ts';
import { recipientQuery } from '#app/owner/sends/send-query.ts';
import { SendMarks } from '#app/owner/sends/send-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf } from '#app/ui/lists/address.ts';
import { Fact, Facts } from '#app/ui/lists/facts.tsx';
import { NumberText, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/links.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import type { Manager } from '#server/principals.ts';
import { findSend, listCorrections, listReminders, type SendDetails } from '#server/sends/history/details.ts';

export const generateMetadata = titled('sends', 'details');

type Props = { params: Promise<{ no: string }>; searchParams: Promise<SearchParams> };

export default async function OneSend({ params, searchParams }: Props) {
  const no = NumberText.safeParse((await params).no).data;
  const parameters = await searchParams;
  const query = readQuery(recipientQuery, parameters);
  const manager = await requireManager(addressOf(`/owner/sends/${no ?? ''}`, query));
  const send = no === undefined ? null : await findSend(manager, no);
  if (!send) notFound();
  const [t, reminders] = await Promise.all([getTranslations('sends'), listReminders(manager, send.no)]);
  const open = send.withdrawnAt === null && send.reach > 0;
  return (
    <>
      <TextLink href="/owner/sends">{t('back')}</TextLink>
      <PageHead
        title={<bdi className="wrapping">{send.title}</bdi>}
        lead={
          <Group component="span" gap="xs">
            <SendMarks send={send} />
          </Group>
        }
      />
      <Stack gap="md">
        {parameters.sent !== undefined && (
          <Alert color={send.reach > 0 ? 'green' : 'orange'} role="status">
            {send.reach > 0 ? t('sentTo', { count: send.reach }) : t('sentToNobody')}
          </Alert>
        )}
        <p className="multiline send-body" dir="auto">
          {send.body}
        </p>
        <Corrections manager={manager} send={send} />
        <Group gap={6} align="flex-start">
          {open && send.mustConfirm && <RemindButton no={send.no} />}
          {open && send.isCorrectable && (
            <CorrectButton no={send.no} title={send.title} body={send.body} url={send.url} />
          )}
          {open && <WithdrawButton no={send.no} title={send.title} />}
          <SendAgain no={send.no} alone={!open} />
        </Group>
        <Stats manager={manager} send={send} />
        <Suspense fallback={<RecipientsPlaceholder />}>
          <Recipients manager={manager} send={send} query={query} />
        </Suspense>
        <SendFacts send={send} reminders={reminders} />
      </Stack>
    </>
  );
}

/** Shows the time of a correction, the person who made it and the former text, if there is one. */
async function Corrections({ manager, send }: { manager: Manager; send: SendDetails }) {
  if (send.correctedAt === null) return null;
  const [t, corrections] = await Promise.all([getTranslations('sends'), listCorrections(manager, send)]);
  return (
    <div data-corrections={corrections.length}>
      <Text size="sm" c="dimmed">
        {t('corrected')} <Timestamp at={send.correctedAt} />
      </Text>
      {corrections.map(({ at, by, title, body }) => (
        <details key={at.toISOString()} className="technical">
          <summary>{t('formerText')}</summary>
          <Text fw={600} dir="auto" className="wrapping">
            {title}
          </Text>
          <p className="multiline send-body" dir="auto">
            {body}
          </p>
          <Text size="sm" c="dimmed">
            <bdi>{t('correctedBy', { name: by })}</bdi> · <Timestamp at={at} />
          </Text>
        </details>
      ))}
    </div>
  );
}

type Reminder = { no: number; createdAt: Date; reach: number };

/** The facts of a send: sender, recipient, times, reminders. */
async function SendFacts({ send, reminders }: { send: SendDetails; reminders: Reminder[] }) {
  const [t, say] = [await getTranslations(), await getTranslations('sends')];
  const sender = send.sentBy ?? send.sender;
  return (
    <Card withBorder>
      <Facts inColumns>
        <Fact small name={t('sends.sentBy')}>
          <bdi>{send.isManual ? t('sends.isManual', { name: sender }) : t('sends.byKey', { name: sender })}</bdi>
        </Fact>
        <Fact small name={t('sends.to')}>
          <bdi>{sayRecipients(send, say('everyone'), say)}</bdi>
          {(send.skipped ?? 0) > 0 && ` (${say('reachSkipped', { reach: send.reach, skipped: send.skipped ?? 0 })})`}
        </Fact>
        <Fact small name={t('sends.sentAt')}>
          <Timestamp at={send.createdAt} />
        </Fact>
        <Fact small name={t('sends.kind')}>
          {t(`inbox.kind.${send.kind}`)}
        </Fact>
        {send.url !== null && (
          <Fact small name={t('sends.link')}>
            <bdi>{send.url}</bdi>
          </Fact>
        )}
        {send.withdrawnAt && (
          <Fact small name={t('sends.withdrawnAt')}>
            <Timestamp at={send.withdrawnAt} />{' '}
            {send.withdrawnBy && <bdi>{t('sends.withdrawnBy', { name: send.withdrawnBy })}</bdi>}
          </Fact>
        )}
        {send.remindsNo !== null && (
          <Fact small name={t('sends.reminder')}>
            <TextLink href={`/owner/sends/${send.remindsNo}`}>{t('sends.reminds', { no: send.remindsNo })}</TextLink>
          </Fact>
        )}
        {reminders.length > 0 && (
          <Fact small name={t('sends.reminders')}>
            {reminders.map(({ no, createdAt, reach }) => (
              <span key={no} style={{ display: 'block' }}>
                <Timestamp at={createdAt} />, {t('sends.remindedAt', { count: reach })}
              </span>
            ))}
          </Fact>
        )}
      </Facts>
      <details className="technical">
        <summary>{t('sends.technical')}</summary>
        <Facts>
          <Fact small name={t('sends.number')}>
            {send.no}
          </Fact>
          <Fact small name={t('sends.request')}>
            {send.requestId ? <code>{send.requestId}</code> : t('sends.unknown')}
          </Fact>
        </Facts>
      </details>
    </Card>
  );
}
