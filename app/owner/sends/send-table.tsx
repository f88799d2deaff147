import { Badge, Group, Skeleton, Table, TableTbody, TableTd, TableTr, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { KindIcon } from '#app/portal/notification/kind-icon.tsx';
import { TableHead } from '#app/ui/lists/table-head.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import type { Send } from '#server/sends/list.ts';
import type { SendOutcome } from '#server/sends/outcomes.ts';

type Outcomes = Promise<Map<number, SendOutcome> | null>;

/** The table of sends. The outcomes follow when they are counted. */
export async function SendTable({ sends, outcomes }: { sends: Send[]; outcomes: Outcomes }) {
  const t = await getTranslations('sends');
  return (
    <Table className="rows" verticalSpacing="sm">
      <TableHead columns={[t('time'), t('notification'), t('sender'), t('recipient'), t('outcome')]} />
      <TableTbody>
        {sends.map((send) => (
          <SendRow key={send.no} send={send} outcomes={outcomes} />
        ))}
      </TableTbody>
    </Table>
  );
}

async function SendRow({ send, outcomes }: { send: Send; outcomes: Outcomes }) {
  const t = await getTranslations();
  const { no, createdAt, title, kind, byHand, sender, recipientId, recipientName } = send;
  return (
    <TableTr data-send={no}>
      <TableTd data-label={t('sends.time')}>
        <Moment at={createdAt} />
      </TableTd>
      <TableTd>
        <TextLink href={`/owner/sends/${no}`} fw={600} aria-label={t('sends.open', { title })}>
          <span className="wrapping" dir="auto">
            {title}
          </span>
        </TextLink>
        <Group gap="xs">
          <Text component="span" size="sm" c="dimmed" style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}>
            <KindIcon kind={kind} size={16} />
            {t(`inbox.kind.${kind}`)}
          </Text>
          <SendMarks send={send} />
        </Group>
      </TableTd>
      <TableTd data-label={t('sends.sender')}>
        <bdi>{byHand ? t('sends.byHand', { name: sender }) : t('sends.byKey', { name: sender })}</bdi>
      </TableTd>
      <TableTd data-label={t('sends.recipient')}>
        <bdi>{recipientId === null ? t('sends.everyone') : recipientName}</bdi>
      </TableTd>
      <TableTd data-label={t('sends.outcome')}>
        <Suspense
          fallback={<Skeleton height={40} width={180} display="inline-block" aria-label={t('sends.counting')} />}
        >
          <OutcomeCell send={send} outcomes={outcomes} />
        </Suspense>
      </TableTd>
    </TableTr>
  );
}

/** The badges of a send: withdrawn, reminder, must be confirmed. */
export async function SendMarks({ send }: { send: Pick<Send, 'withdrawnAt' | 'remindsNo' | 'mustConfirm'> }) {
  const t = await getTranslations('sends');
  return (
    <>
      {send.withdrawnAt && <Badge color="red">{t('withdrawn')}</Badge>}
      {send.remindsNo !== null && <Badge color="gray">{t('reminder')}</Badge>}
      {send.mustConfirm && <Badge color="orange">{t('mustConfirm')}</Badge>}
    </>
  );
}

async function OutcomeCell({ send: { no, reach, mustConfirm }, outcomes }: { send: Send; outcomes: Outcomes }) {
  const t = await getTranslations('sends');
  if (reach === 0)
    return (
      <>
        {t('nobody')}
        <Text size="xs" c="dimmed">
          {t('nobodyText')}
        </Text>
      </>
    );
  const outcome = (await outcomes)?.get(no);
  if (!outcome) return <Text size="sm">{t('uncounted')}</Text>;
  const { shown, read, confirmed } = outcome;
  return (
    <>
      {t('readOf', { read, reach })}
      <Text size="xs" c="dimmed">
        {t('shownNotYet', { shown, left: Math.max(0, reach - read) })}
      </Text>
      {mustConfirm && (
        <Text size="xs" c="dimmed">
          {t('confirmedOf', { confirmed, reach })}
        </Text>
      )}
    </>
  );
}
