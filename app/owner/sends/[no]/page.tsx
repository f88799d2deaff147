import { Alert, Box, Card, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { AnswerFigures } from '#app/owner/sends/[no]/answer-figures.tsx';
import { Recipients } from '#app/owner/sends/[no]/recipients.tsx';
import { SendActions } from '#app/owner/sends/[no]/send-buttons.tsx';
import { recipientQuery, sayRecipients } from '#app/owner/sends/send-query.ts';
import { OutcomeShare, SendMarks } from '#app/owner/sends/send-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { FactRows, TechnicalFacts } from '#app/ui/lists/facts.tsx';
import { RowsPlace } from '#app/ui/lists/list-place.tsx';
import { addressOf, NumberText, readQuery } from '#app/ui/lists/list-query.ts';
import { Swatch } from '#app/ui/pictures/charts.tsx';
import { MessagePicture } from '#app/ui/pictures/message-picture.tsx';
import { ClampedText } from '#app/ui/text/clamped-text.tsx';
import { PageLink, TextLink } from '#app/ui/text/links.tsx';
import { MarkedText, MarkedTitle } from '#app/ui/text/marked-text.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import type { Manager } from '#server/principals.ts';
import { findSend, listCorrections, listReminders, type SendDetails } from '#server/sends/history/details.ts';
import { countOutcomes, listUnconfirmedSends } from '#server/sends/history/outcomes.ts';
import type { RecipientState } from '#server/sends/history/states.ts';
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
  const { sentBy, isManual, reach, url, closedAt, withdrawnAt, withdrawnBy, remindsNo, requestId } = send;
  const isAsking = asksForConfirmation(send);
  const [t, kinds] = await Promise.all([getTranslations('sends'), getTranslations('inbox.kind')]);
  const [reminders, picture, unconfirmed] = await Promise.all([
    listReminders(manager, send.no),
    findPicture(manager, { no: send.no }),
    isAsking ? listUnconfirmedSends(manager, send.no) : null,
  ]);
  // Only active people, as only they are reminded. They come first in the list.
  const missing = unconfirmed?.[0]?.missing;
  const isOfMissing = missing !== undefined && query.state === undefined;
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
        back={{ href: '/owner/sends', text: t('title') }}
        compact
        title={<MarkedTitle text={send.title} />}
        lead={<SendMarks send={send} />}
      >
        <SendActions send={send} missing={missing} />
      </PageHead>
      <Stack gap={8}>
        {parameters.sent !== undefined && (
          <Alert color={reach > 0 ? 'green' : 'orange'} role="status">
            {reach > 0 ? t('sentTo', { count: reach }) : t('sentToNobody')}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xs">
          <Group gap="sm" align="flex-start" wrap="nowrap" className="send-content">
            <MessagePicture picture={picture} title={send.title} />
            <Box miw={0}>
              <ClampedText>{send.body}</ClampedText>
              <Corrections manager={manager} send={send} />
            </Box>
          </Group>
          {reach > 0 && (
            <Suspense fallback={<Skeleton height={31} />}>
              <Figures manager={manager} send={send} />
            </Suspense>
          )}
        </SimpleGrid>
        <Suspense fallback={<RowsPlace rows={8} height={64} />}>
          <Recipients manager={manager} send={send} query={isOfMissing ? { ...query, state: 'unconfirmed' } : query} />
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
              closedAt !== null && { name: t('closedAt'), value: <Timestamp at={closedAt} /> },
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
            <MarkedText text={title} />
          </Text>
          <ClampedText>{body}</ClampedText>
          <Text className="fine-print">
            <bdi>{t('correctedBy', { name: by })}</bdi> · <Timestamp at={at} />
          </Text>
        </details>
      ))}
    </div>
  );
}

const asksForConfirmation = ({ withdrawnAt, reach, mustConfirm, closedAt }: SendDetails) =>
  withdrawnAt === null && reach > 0 && mustConfirm && closedAt === null;

// A figure leads to the people it counts.
async function Figures({ manager, send }: SendProps) {
  const { no, reach, mustConfirm, answers } = send;
  const [t, outcomes] = await Promise.all([getTranslations('sends'), countOutcomes(manager, [no])]);
  const outcome = outcomes?.get(no);
  if (!outcome) return <Text size="sm">{t('uncounted')}</Text>;
  const { shown, beforeCorrection: former } = outcome;
  const done = mustConfirm ? outcome.confirmed : outcome.read;
  const left = Math.max(0, reach - done);
  const figure = (state: RecipientState, value: number) => () => (
    <span data-stat={state}>
      {value > 0 ? <PageLink href={`/owner/sends/${no}?state=${state}#people`}>{value}</PageLink> : value}
    </span>
  );
  return (
    <OutcomeShare label={t('outcomeOf', { done, reach, shown, left })} reach={reach} done={done} shown={shown}>
      <span className="send-figures" data-answers={answers !== null}>
        {answers ? (
          <AnswerFigures {...{ no, reach, answers, outcome }} isLive={asksForConfirmation(send)} />
        ) : (
          t.rich(mustConfirm ? 'confirmedFigures' : 'readFigures', {
            reach: () => <span data-stat="reach">{reach}</span>,
            is: () => <Swatch tone="accent" />,
            was: () => <Swatch tone="outline" />,
            done: figure(mustConfirm ? 'confirmed' : 'read', done),
            shown: figure('shown', shown),
            left: figure(mustConfirm ? 'unconfirmed' : 'unread', left),
          })
        )}
      </span>
      {former > 0 && (
        <TextLink href={`/owner/sends/${no}?state=beforeCorrection#people`}>
          {t('formerConfirmations', { count: former })}
        </TextLink>
      )}
    </OutcomeShare>
  );
}
