import '#app/owner/sends/sends.css';
import { Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { type ReactNode, Suspense } from 'react';
import { sayRecipients } from '#app/owner/sends/send-query.ts';
import { KindDisc } from '#app/portal/notification/item-parts.tsx';
import { Cell, ListRow, ListTable, Note, RepeatRows, RowLink } from '#app/ui/lists/list-table.tsx';
import { RepeatToggle } from '#app/ui/lists/repeat-group.tsx';
import { ShareBar, Swatch } from '#app/ui/pictures/charts.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import { withoutMarks } from '#server/notifications/text-marks.ts';
import type { Manager } from '#server/principals.ts';
import { countOutcomes, type SendOutcome } from '#server/sends/history/outcomes.ts';
import { listSends, type Send } from '#server/sends/history/send-list.ts';

/** The outcomes of the sends of a page by number; null when they could not be counted in time. */
type Outcomes = Promise<Map<number, SendOutcome> | null>;

type TableProps = { sends: Send[]; outcomes: Outcomes; brief?: boolean };

/**
 * The list of sends; repeats are behind one row. The outcomes follow when they are counted. `brief`: few rows, for half
 * a page, without the sender, and on a desktop without the recipients.
 */
export async function SendTable({ sends, outcomes, brief = false }: TableProps) {
  const t = await getTranslations('sends');
  const legend = (
    <Group component="span" gap="xs" px={8}>
      <span>
        <Swatch tone="accent" />
        {t('legend.done')}
      </span>
      <span>
        <Swatch tone="outline" />
        {t('legend.shown')}
      </span>
    </Group>
  );
  const columns = [
    { name: t('kind'), width: '3.25rem', quiet: true },
    { name: t('notification'), width: 'minmax(0, 2.4fr)' },
    ...(brief
      ? []
      : [
          { name: t('recipient'), width: 'minmax(0, 1.2fr)' },
          { name: t('sender'), width: 'minmax(0, 1.2fr)', wide: true },
        ]),
    { name: t('outcome'), width: '11.875rem', head: legend },
    { name: t('time'), width: '8.25rem', end: true },
  ];
  return (
    <ListTable label={t('title')} columns={columns}>
      <RepeatRows
        items={sends}
        sameAs={sameSend}
        most={brief ? briefRows : undefined}
        row={(same, nested) => (
          <SendRow key={same[0].no} sends={same} outcomes={outcomes} brief={brief} nested={nested} />
        )}
      />
    </ListTable>
  );
}

type OutcomeProps = { send: Send; outcomes: Outcomes };
type RowProps = { sends: [Send, ...Send[]]; outcomes: Outcomes; brief: boolean; nested?: boolean };

// Several sends that say the same are counted as messages: their recipients are the same people.
async function SendRow({ sends, outcomes, brief, nested }: RowProps) {
  const t = await getTranslations();
  const say = await getTranslations('sends');
  const [send] = sends;
  const { no, kind, title, createdAt, sender } = send;
  const isOne = sends.length === 1;
  const names = [...new Set(sends.map((similar) => sayRecipients(similar, say('all'), say)))];
  const count = say('messages', { count: sends.length });
  return (
    <ListRow
      data-send={isOne ? no : undefined}
      data-repeats={isOne ? undefined : sends.length}
      nested={nested}
      faded={isOne && send.withdrawnAt !== null}
    >
      <Cell at="lead">
        <KindDisc kind={kind} />
        <VisuallyHidden>{t(`inbox.kind.${kind}`)}</VisuallyHidden>
      </Cell>
      <Cell at="main">
        <span className="send-title">
          {isOne ? (
            <RowLink href={`/owner/sends/${no}`} label={say('open', { title: withoutMarks(title) })}>
              <MarkedText text={title} />
            </RowLink>
          ) : (
            <RepeatToggle count={sends.length}>
              <MarkedText text={title} />
            </RepeatToggle>
          )}
          <SendMarks send={send} />
        </span>
      </Cell>
      <Cell at="second" phone={brief}>
        <bdi>{names.length === 1 ? names[0] : say('recipients', { count: names.length })}</bdi>
        <span className="mantine-hidden-from-sm list-note">
          <Suspense fallback="…">{isOne ? <OutcomeText send={send} outcomes={outcomes} /> : count}</Suspense>
        </span>
      </Cell>
      {!brief && (
        <Cell wide>
          <bdi>{sender}</bdi>
        </Cell>
      )}
      <Cell>
        <Suspense fallback={<Skeleton height={32} width={150} aria-label={say('counting')} />}>
          {isOne ? <OutcomeBar send={send} outcomes={outcomes} /> : count}
        </Suspense>
      </Cell>
      <Cell at="aside" end time={createdAt} />
    </ListRow>
  );
}

/** What is special about a send: withdrawn, a reminder, or must be confirmed or answered. */
export async function SendMarks({ send }: { send: Send }) {
  const t = await getTranslations('sends');
  return (
    <>
      {send.withdrawnAt && <Note tone="loss">{t('withdrawn')}</Note>}
      {send.remindsNo !== null && <Note>{t('reminder')}</Note>}
      {send.mustConfirm && (
        <Note tone={send.closedAt ? undefined : 'attention'}>
          {t(send.closedAt ? 'closed' : send.answers ? 'asks' : 'mustConfirm')}
        </Note>
      )}
    </>
  );
}

function askedOf({ mustConfirm, answers }: Send) {
  if (!mustConfirm) return 'read';
  return answers ? 'answered' : 'confirmed';
}

async function OutcomeText({ send, outcomes }: OutcomeProps) {
  const t = await getTranslations('sends');
  const outcome = (await outcomes)?.get(send.no);
  if (!outcome) return t('uncountedShort');
  const { read, confirmed } = outcome;
  return send.reach === 0 ? t('nobody') : t(`${askedOf(send)}Short`, { read, confirmed, reach: send.reach });
}

// The outcome in words and as a bar. Where somebody is left, the words lead to these people; on a phone
// the row leads to figures that do.
async function OutcomeBar({ send, outcomes }: OutcomeProps) {
  const t = await getTranslations('sends');
  const { no, reach, mustConfirm } = send;
  const outcome = (await outcomes)?.get(no);
  if (!outcome) return <span className="list-sub">{t('uncountedShort')}</span>;
  if (reach === 0)
    return (
      <span title={t('nobodyText')}>
        <Note tone="attention">{t('nobody')}</Note>
      </span>
    );
  const { shown, read, confirmed } = outcome;
  const done = mustConfirm ? confirmed : read;
  const text = t(`${askedOf(send)}Of`, { read, confirmed, reach });
  const left = `/owner/sends/${no}?state=${mustConfirm ? 'unconfirmed' : 'unread'}`;
  const label = t('shownNotYet', { shown, left: Math.max(0, reach - read) });
  return (
    <OutcomeShare label={label} reach={reach} done={done} shown={shown}>
      {done < reach ? (
        <PageLink href={left} className="row-button outcome-link" data-left={no}>
          {text}
        </PageLink>
      ) : (
        text
      )}
    </OutcomeShare>
  );
}

type ShareProps = { label: string; reach: number; done: number; shown: number; children: ReactNode };

/** Words and a bar of the recipients: who has read or confirmed it, who only saw it, who did neither. */
export async function OutcomeShare({ label, reach, done, shown, children }: ShareProps) {
  const t = await getTranslations('sends.legend');
  return (
    <Stack component="span" gap={3} fz="var(--type-12)" lh="1rem" title={label}>
      {children}
      <ShareBar
        label={label}
        total={reach}
        parts={[
          { label: t('done'), value: done, tone: 'accent' },
          { label: t('shown'), value: Math.max(0, shown - done), tone: 'outline' },
        ]}
      />
    </Stack>
  );
}

const sameSend = ({ title, kind, keyId, sender, mustConfirm, answers, ...of }: Send): string =>
  JSON.stringify([title, kind, keyId, sender, mustConfirm, answers, !of.withdrawnAt, !of.remindsNo, !of.closedAt]);

const briefRows = 6;
// Repeats of one message are one row.
const newestRead = 24;

/** The newest sends of the company, or of a key; without any, `none`. */
export async function NewestSends({ manager, keyId, none }: { manager: Manager; keyId?: number; none: string }) {
  const { sends } = await listSends(manager, { filter: { keyId }, limit: newestRead });
  if (sends.length === 0) return <p className="dimmed">{none}</p>;
  const numbers = sends.map(({ no }) => no);
  return <SendTable sends={sends} outcomes={countOutcomes(manager, numbers)} brief />;
}
