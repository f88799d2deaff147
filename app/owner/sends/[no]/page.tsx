import { Alert, Group, Stack } from '@mantine/core';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { CorrectButton } from '#app/owner/sends/[no]/correct-button.tsx';
import { Corrections } from '#app/owner/sends/[no]/corrections.tsx';
import { Recipients, RecipientsPlaceholder } from '#app/owner/sends/[no]/recipients.tsx';
import { RemindButton } from '#app/owner/sends/[no]/remind-button.tsx';
import { SendAgain } from '#app/owner/sends/[no]/send-again.tsx';
import { SendFacts } from '#app/owner/sends/[no]/send-facts.tsx';
import { Stats } from '#app/owner/sends/[no]/stats.tsx';
import { WithdrawButton } from '#app/owner/sends/[no]/withdraw-button.tsx';
import { recipientQuery } from '#app/owner/sends/send-query.ts';
import { SendMarks } from '#app/owner/sends/send-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf } from '#app/ui/lists/address.ts';
import { NumberText, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireManager } from '#server/accounts/require.ts';
import { findSend, listReminders } from '#server/sends/details.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('sends'))('details') };
}

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
