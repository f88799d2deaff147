import { Alert, Box, Card, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { Undo2 } from 'lucide-react';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { cache, Suspense } from 'react';
import { Recipients } from '#app/owner/sends/[no]/recipients.tsx';
import { CorrectButton, RemindAll, SendAgain } from '#app/owner/sends/[no]/send-buttons.tsx';
import { withdrawSendAction } from '#app/owner/sends/actions.ts';
import { recipientQuery, sayRecipients } from '#app/owner/sends/send-query.ts';
import { OutcomeShare, SendMarks } from '#app/owner/sends/send-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { FactRows, TechnicalFacts } from '#app/ui/lists/facts.tsx';
import { RowsPlace } from '#app/ui/lists/list-parts.tsx';
import { addressOf, NumberText, readQuery } from '#app/ui/lists/list-query.ts';
import { Figure } from '#app/ui/pictures/charts.tsx';
import { MessagePicture } from '#app/ui/pictures/message-picture.tsx';
import { ConfirmedAction } from '#app/ui/sessions/form-dialog.tsx';
import { PageLink, TextLink } from '#app/ui/text/links.tsx';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import type { Manager } from '#server/principals.ts';
import { findSend, listCorrections, listReminders, type SendDetails } from '#server/sends/history/details.ts';
import { countOutcomes, type SendOutcome } from '#server/sends/history/outcomes.ts';
import { findPicture } from '#server/sends/pictures/pictures.ts';

export const generateMetadata = titled('sends', 'details');

type SendProps = { manager: Manager; send: SendDetails };

export default async function OneSend({ params, searchParams }: PageProps<'/owner/sends/[no]'>) {
  const no = NumberText.safeParse((await params).no).data;
  const parameters = await searchParams;
  const query = readQuery(recipientQuery, parameters);
  const manager = await requireManager(addressOf(`/owner/sends/${no ?? ''}`, query));
  const send = no === undefined ? null : await findSend(manager, no);
  if (!send) notFound();
  const [t, kinds, reminders, picture] = await Promise.all([
    getTranslations('sends'),
    getTranslations('inbox.kind'),
    listReminders(manager, send.no),
    findPicture(manager, { no: send.no }),
  ]);
  const open = send.withdrawnAt === null && send.reach > 0;
  const { sentBy, isManual, reach, url, withdrawnAt, withdrawnBy, remindsNo, requestId } = send;
  const sender = { name: sentBy ?? send.sender };
  const skipped = send.skipped ?? 0;
  const recipients = (
    <>
      <bdi>{sayRecipients(send, t('everyone'), t)}</bdi>
      {skipped > 0 && <span> ({t('reachSkipped', { reach, skipped })})</span>}
    </>
  );
  const withdrawn = withdrawnAt && (
    <>
      <Timestamp at={withdrawnAt} /> {withdrawnBy && <bdi>{t('withdrawnBy', { name: withdrawnBy })}</bdi>}
    </>
  );
  const reminded = reminders.map(({ no, createdAt, reach }) => (
    <span key={no} style={{ display: 'block' }}>
      <Timestamp at={createdAt} />, {t('remindedAt', { count: reach })}
    </span>
  ));
  return (
    <>
      <PageHead
        back={{ href: '/owner/sends', text: t('back') }}
        compact
        title={<bdi className="wrapping">{send.title}</bdi>}
        lead={
          <Group component="span" gap="xs">
            <SendMarks send={send} />
          </Group>
        }
      >
        <Group gap={6} align="flex-start" className="send-actions">
          {open && send.mustConfirm && (
            <Suspense fallback={<RemindAll no={send.no} />}>
              <RemindUnconfirmed manager={manager} send={send} />
            </Suspense>
          )}
          {open && send.isCorrectable && (
            <CorrectButton no={send.no} title={send.title} body={send.body} url={send.url} />
          )}
          {open && (
            <ConfirmedAction
              look={{ variant: 'light', color: 'red', leftSection: <Undo2 /> }}
              action={withdrawSendAction}
              input={{ no: send.no }}
              sentences={{ gone: t('withdrawGone') }}
              title={t('withdrawTitle', { title: send.title })}
              submit={t('withdraw')}
              isDestructive
              text={t('withdrawText')}
            />
          )}
          <SendAgain no={send.no} alone={!open} />
        </Group>
      </PageHead>
      <Stack gap="sm">
        {parameters.sent !== undefined && (
          <Alert color={send.reach > 0 ? 'green' : 'orange'} role="status">
            {send.reach > 0 ? t('sentTo', { count: send.reach }) : t('sentToNobody')}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
          <Card p="sm">
            <Suspense fallback={<Figures send={send} />}>
              <CountedFigures manager={manager} send={send} />
            </Suspense>
          </Card>
          <Group gap="sm" align="flex-start" wrap="nowrap" className="send-content">
            <MessagePicture picture={picture} title={send.title} />
            <div>
              <SendBody>{send.body}</SendBody>
              <Corrections manager={manager} send={send} />
            </div>
          </Group>
        </SimpleGrid>
        <Suspense fallback={<RowsPlace rows={4} height={56} />}>
          <Recipients manager={manager} send={send} query={query} />
        </Suspense>
        <Card>
          <FactRows
            small
            inColumns
            rows={[
              { name: t('sentBy'), value: <bdi>{isManual ? t('isManual', sender) : t('byKey', sender)}</bdi> },
              { name: t('to'), value: recipients },
              { name: t('sentAt'), value: <Timestamp at={send.createdAt} /> },
              { name: t('kind'), value: kinds(send.kind) },
              url !== null && { name: t('link'), value: <bdi>{url}</bdi> },
              withdrawn !== null && { name: t('withdrawnAt'), value: withdrawn },
              remindsNo !== null && {
                name: t('reminder'),
                value: <TextLink href={`/owner/sends/${remindsNo}`}>{t('reminds', { no: remindsNo })}</TextLink>,
              },
              reminders.length > 0 && { name: t('reminders'), value: reminded },
            ]}
          />
          <TechnicalFacts
            rows={[
              { name: t('number'), value: send.no },
              { name: t('request'), value: requestId ? <code>{requestId}</code> : t('unknown') },
            ]}
          />
        </Card>
      </Stack>
    </>
  );
}

const SendBody = ({ children }: { children: string }) => (
  <Text className="multiline wrapping" maw="68ch" dir="auto">
    <MarkedText text={children} />
  </Text>
);

async function Corrections({ manager, send }: SendProps) {
  if (send.correctedAt === null) return null;
  const [t, corrections] = await Promise.all([getTranslations('sends'), listCorrections(manager, send)]);
  return (
    <div data-corrections={corrections.length}>
      <Text className="fine-print">
        {t('corrected')} <Timestamp at={send.correctedAt} />
      </Text>
      {corrections.map(({ at, by, title, body }) => (
        <details key={at.toISOString()}>
          <summary>{t('formerText')}</summary>
          <Text fw={600} dir="auto" className="wrapping">
            {title}
          </Text>
          <SendBody>{body}</SendBody>
          <Text className="fine-print">
            <bdi>{t('correctedBy', { name: by })}</bdi> · <Timestamp at={at} />
          </Text>
        </details>
      ))}
    </div>
  );
}

// The figures and the question before a reminder show the same count.
const findOutcome = cache(async (manager: Manager, no: number) => (await countOutcomes(manager, [no]))?.get(no));

async function RemindUnconfirmed({ manager, send: { no, reach } }: SendProps) {
  const outcome = await findOutcome(manager, no);
  return <RemindAll no={no} count={outcome && Math.max(0, reach - outcome.confirmed)} />;
}

async function CountedFigures({ manager, send }: SendProps) {
  return <Figures send={send} outcome={(await findOutcome(manager, send.no)) ?? null} />;
}

const countsFor = ({ reach, mustConfirm }: SendDetails) => {
  if (reach === 0) return [];
  return [...(['shown', 'read', 'left'] as const), ...(mustConfirm ? (['confirmed', 'unconfirmed'] as const) : [])];
};

// Without an outcome it is being counted; null could not be. A figure leads to the people it counts.
async function Figures({ send, outcome }: { send: SendDetails; outcome?: SendOutcome | null }) {
  const t = await getTranslations('sends');
  const { no, reach } = send;
  const { shown, read, confirmed } = outcome ?? { shown: 0, read: 0, confirmed: 0 };
  const former = outcome?.beforeCorrection ?? 0;
  const values = {
    shown,
    read,
    left: Math.max(0, reach - read),
    confirmed,
    unconfirmed: Math.max(0, reach - confirmed),
  };
  const linkTo = (name: keyof typeof values) => {
    const address = `/owner/sends/${no}?state=${name === 'left' ? 'unread' : name}#people`;
    return values[name] > 0 ? <PageLink href={address}>{values[name]}</PageLink> : values[name];
  };
  const counting = <Skeleton component="span" display="inline-block" height={24} width={40} />;
  const label = t('readOf', { read, reach });
  return (
    <>
      <dl className="send-figures">
        <Figure text={t('stats.reach')} value={reach} data-stat="reach" />
        {outcome === null && reach > 0 ? (
          <Text component="dd">{t('uncounted')}</Text>
        ) : (
          countsFor(send).map((name) => (
            <Figure key={name} text={t(`stats.${name}`)} value={outcome ? linkTo(name) : counting} data-stat={name} />
          ))
        )}
      </dl>
      {reach > 0 && outcome !== null && (
        <Box mt={12}>
          {outcome ? <OutcomeShare label={label} reach={reach} done={read} shown={shown} /> : <Skeleton height={8} />}
        </Box>
      )}
      {former > 0 && (
        <TextLink href={`/owner/sends/${no}?state=beforeCorrection#people`}>
          {t('formerConfirmations', { count: former })}
        </TextLink>
      )}
    </>
  );
}
