import { Skeleton, VisuallyHidden } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { type ReactNode, Suspense } from 'react';
import { sayRecipients } from '#app/owner/sends/send-query.ts';
import { KindDisc } from '#app/portal/notification/item-parts.tsx';
import { Cell, ListRow, ListTable, Note, RowLink } from '#app/ui/lists/list-table.tsx';
import { RepeatGroup, RepeatToggle } from '#app/ui/lists/repeat-group.tsx';
import { groupRepeats } from '#app/ui/lists/repeats.ts';
import { ShareBar } from '#app/ui/pictures/pictures.tsx';
import type { Send } from '#server/sends/history/list.ts';
import type { SendOutcome } from '#server/sends/history/outcomes.ts';

/** The outcomes of the sends of a page by number; null when they could not be counted in time. */
type Outcomes = Promise<Map<number, SendOutcome> | null>;

type TableProps = { sends: Send[]; outcomes: Outcomes; brief?: boolean };

/**
 * The list of sends. A row opens the send. Repeats are behind one row. The outcomes follow when they
 * are counted. `brief`: without the sender, for half a page.
 */
export async function SendTable({ sends, outcomes, brief = false }: TableProps) {
  const t = await getTranslations('sends');
  const columns = [
    { name: t('kind'), width: '52px', quiet: true },
    { name: t('notification'), width: 'minmax(0, 2.4fr)' },
    { name: t('recipient'), width: 'minmax(0, 1.2fr)' },
    ...(brief ? [] : [{ name: t('sender'), width: 'minmax(0, 1.2fr)', wide: true }]),
    { name: t('outcome'), width: brief ? '160px' : '190px' },
    { name: t('time'), width: brief ? '96px' : '124px', end: true },
  ];
  return (
    <ListTable label={t('title')} columns={columns}>
      {groupRepeats(sends, sameSend).map(({ items }) =>
        items.length === 1 ? (
          <SendRow key={items[0].no} send={items[0]} outcomes={outcomes} brief={brief} />
        ) : (
          <RepeatGroup key={items[0].no} head={<RepeatedSends sends={items} outcomes={outcomes} brief={brief} />}>
            {items.map((send) => (
              <SendRow key={send.no} send={send} outcomes={outcomes} brief={brief} nested />
            ))}
          </RepeatGroup>
        ),
      )}
    </ListTable>
  );
}

type OutcomeProps = { sends: [Send, ...Send[]]; outcomes: Outcomes };
type RowProps = { send: Send; outcomes: Outcomes; brief: boolean; nested?: boolean };

async function SendRow({ send, outcomes, brief, nested }: RowProps) {
  const t = await getTranslations('sends');
  const { no, title } = send;
  return (
    <ListRow data-send={no} nested={nested} faded={send.withdrawnAt !== null}>
      <SendCells
        sends={[send]}
        outcomes={outcomes}
        brief={brief}
        main={
          <RowLink href={`/owner/sends/${no}`} label={t('open', { title })}>
            {title}
          </RowLink>
        }
      />
    </ListRow>
  );
}

async function RepeatedSends({ sends, outcomes, brief }: OutcomeProps & { brief: boolean }) {
  return (
    <ListRow data-repeats={sends.length}>
      <SendCells
        sends={sends}
        outcomes={outcomes}
        brief={brief}
        main={<RepeatToggle count={sends.length}>{sends[0].title}</RepeatToggle>}
      />
    </ListRow>
  );
}

// The cells of one send, or of several that say the same: the newest, and the sum of their outcomes.
async function SendCells({ sends, outcomes, brief, main }: OutcomeProps & { brief: boolean; main: ReactNode }) {
  const t = await getTranslations();
  const [{ kind, createdAt, isManual, sender }] = sends;
  const say = await getTranslations('sends');
  const names = [...new Set(sends.map((send) => sayRecipients(send, say('all'), say)))];
  return (
    <>
      <Cell at="lead">
        <KindDisc kind={kind} />
        <VisuallyHidden>{t(`inbox.kind.${kind}`)}</VisuallyHidden>
      </Cell>
      <Cell at="main">
        <span className="send-title">
          {main}
          <SendMarks send={sends[0]} />
        </span>
      </Cell>
      <Cell at="second">
        <bdi>{names.length === 1 ? names[0] : t('sends.recipients', { count: names.length })}</bdi>
        <span className="mantine-hidden-from-sm list-note">
          <Suspense fallback="…">
            <OutcomeText sends={sends} outcomes={outcomes} />
          </Suspense>
        </span>
      </Cell>
      {!brief && (
        <Cell wide>
          <bdi>{isManual ? t('sends.isManual', { name: sender }) : t('sends.byKey', { name: sender })}</bdi>
        </Cell>
      )}
      <Cell>
        <Suspense fallback={<Skeleton height={32} width={150} aria-label={t('sends.counting')} />}>
          <OutcomeBar sends={sends} outcomes={outcomes} />
        </Suspense>
      </Cell>
      <Cell at="aside" end time={createdAt} />
    </>
  );
}

/** What is special about a send: withdrawn, a reminder, or must be confirmed. */
export async function SendMarks({ send }: { send: Pick<Send, 'withdrawnAt' | 'remindsNo' | 'mustConfirm'> }) {
  const t = await getTranslations('sends');
  return (
    <>
      {send.withdrawnAt && <Note tone="loss">{t('withdrawn')}</Note>}
      {send.remindsNo !== null && <Note>{t('reminder')}</Note>}
      {send.mustConfirm && <Note tone="attention">{t('mustConfirm')}</Note>}
    </>
  );
}

type Sum = SendOutcome & { reach: number };

// The sum of the outcomes, or null when they could not be counted.
async function sumOf({ sends, outcomes }: OutcomeProps): Promise<Sum | null> {
  const sum = { reach: 0, shown: 0, read: 0, confirmed: 0 };
  const counted = await outcomes;
  for (const { no, reach } of sends) {
    const outcome = counted?.get(no);
    if (reach > 0 && !outcome) return null;
    sum.reach += reach;
    for (const name of ['shown', 'read', 'confirmed'] as const) sum[name] += outcome?.[name] ?? 0;
  }
  return sum;
}

async function sayOutcome(props: OutcomeProps, sum: Sum | null): Promise<string> {
  const t = await getTranslations('sends');
  if (!sum) return t('uncountedShort');
  const { reach, read, confirmed } = sum;
  if (reach === 0) return t('nobody');
  return props.sends[0].mustConfirm ? t('confirmedOf', { confirmed, reach }) : t('readOf', { read, reach });
}

async function OutcomeText(props: OutcomeProps) {
  const t = await getTranslations('sends');
  const sum = await sumOf(props);
  if (!sum || sum.reach === 0 || props.sends[0].mustConfirm) return sayOutcome(props, sum);
  return t('readShort', { read: sum.read, reach: sum.reach });
}

async function OutcomeBar(props: OutcomeProps) {
  const t = await getTranslations('sends');
  const sum = await sumOf(props);
  const text = await sayOutcome(props, sum);
  if (!sum) return <span className="list-sub">{text}</span>;
  const { reach, shown, read, confirmed } = sum;
  if (reach === 0)
    return (
      <span title={t('nobodyText')}>
        <Note tone="attention">{text}</Note>
      </span>
    );
  const done = props.sends[0].mustConfirm ? confirmed : read;
  const label = t('shownNotYet', { shown, left: Math.max(0, reach - read) });
  return (
    <span className="outcome" title={label}>
      <span>{text}</span>
      <OutcomeShare label={label} reach={reach} done={done} shown={shown} />
    </span>
  );
}

type ShareProps = { label: string; reach: number; done: number; shown: number };

/** A bar of the recipients: for whom it is done, who only saw the send, who did neither. */
export async function OutcomeShare({ label, reach, done, shown }: ShareProps) {
  const t = await getTranslations('sends.stats');
  return (
    <ShareBar
      label={label}
      total={reach}
      parts={[
        { label: t('read'), value: done, tone: 'accent' },
        { label: t('shown'), value: Math.max(0, shown - done), tone: 'soft' },
      ]}
    />
  );
}

const sameSend = ({ title, kind, keyId, sender, withdrawnAt, remindsNo, mustConfirm }: Send): string =>
  JSON.stringify([title, kind, keyId, sender, withdrawnAt !== null, remindsNo !== null, mustConfirm]);
