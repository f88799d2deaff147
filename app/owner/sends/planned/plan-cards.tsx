import { Card, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import {
  DiscardAll,
  MissedButtons,
  OneMissedButtons,
  PlanButtons,
  RuleButtons,
} from '#app/owner/sends/planned/plan-buttons.tsx';
import { usePlanText } from '#app/owner/sends/when/plan-text.tsx';
import { KindDisc } from '#app/portal/notification/kind-icon.tsx';
import { Note } from '#app/ui/lists/list-table.tsx';
import { Moment, useExactTime } from '#app/ui/text/moment.tsx';
import type { Kind } from '#server/notifications/kinds.ts';
import type { PlannedSend, SendRule } from '#server/sends/planned-list.ts';

type For = Pick<PlannedSend, 'recipientId' | 'recipientName' | 'toRoles' | 'toPeople'>;

/** Says who a planned send is for. */
function Recipients({ recipientName, toRoles, toPeople }: For) {
  const t = useTranslations('planned');
  if (recipientName !== null) return <bdi>{recipientName}</bdi>;
  if (toRoles) return <bdi>{t('toRoles', { roles: toRoles.join(', ') })}</bdi>;
  return <>{toPeople ? t('toPeople', { count: toPeople.length }) : t('toEveryone')}</>;
}

function PlanCard({
  kind,
  title,
  when,
  below,
  children,
}: {
  kind: Kind;
  title: string;
  when: ReactNode;
  below?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Card component="li" withBorder className="plan-card">
      <div className="plan-head">
        <KindDisc kind={kind} />
        <div>
          <Text component="h3" fw={600} m={0} size="md" dir="auto" className="wrapping">
            {title}
          </Text>
          <Text size="sm">{when}</Text>
          {children}
        </div>
      </div>
      {below}
    </Card>
  );
}

/** A planned send, with its buttons. */
export function PlannedCard({ send, timeZone }: { send: PlannedSend; timeZone: string }) {
  const t = useTranslations('planned');
  const text = usePlanText(timeZone);
  const [date = '', time = ''] = send.localTime.split('T');
  return (
    <PlanCard kind={send.kind} title={send.title} when={t('leaves', { when: text.moment(date, time) })}>
      <PlanNote of={send} />
      <PlanButtons draftId={send.draftId} title={send.title} />
    </PlanCard>
  );
}

/** Says why a send was missed, and asks. */
function MissedReason({ of: { reason, plannedBy } }: { of: PlannedSend }) {
  const t = useTranslations('planned');
  return (
    <Text size="sm" c="dimmed">
      {reason === 'sender'
        ? t('missedSender', { name: plannedBy })
        : t(reason === 'recipient' ? 'missedRecipient' : 'missedLate')}
    </Text>
  );
}

/** A missed send, with what a person can decide. */
export function MissedCard({ send }: { send: PlannedSend }) {
  const t = useTranslations('planned');
  return (
    <PlanCard
      kind={send.kind}
      title={send.title}
      when={
        <>
          <Note tone="loss">{t('missedMark')}</Note> <Moment at={send.leavesAt} />
        </>
      }
    >
      <MissedReason of={send} />
      <PlanNote of={send} />
      <MissedButtons draftId={send.draftId} title={send.title} />
    </PlanCard>
  );
}

// The weekday says more about a repeating send than the year, and the line fits beside two buttons.
function DayAndTime({ at }: { at: Date }) {
  const format = useFormatter();
  const { date, full } = useExactTime(at);
  const [hour, minute, month] = ['2-digit', '2-digit', 'short'] as const;
  return (
    <time dateTime={date.toISOString()} title={full}>
      {format.dateTime(date, { weekday: 'short', day: 'numeric', month, hour, minute, hourCycle: 'h23' })}
    </time>
  );
}

/** The missed sends of one rule, the earliest first: each can be sent or discarded, or all discarded. */
export function MissedOfRuleCard({ rule, sends }: { rule: number; sends: PlannedSend[] }) {
  const t = useTranslations('planned');
  const [first] = sends;
  if (!first) return null;
  const { kind, title } = first;
  const before = sends.reduce((sum, { missedBefore }) => sum + missedBefore, 0);
  return (
    <PlanCard
      kind={kind}
      title={title}
      when={<Note tone="loss">{t('missedTimes', { count: sends.length + before })}</Note>}
      below={
        <ul className="plan-missed">
          {before > 0 && <li>{t('missedBefore', { count: before })}</li>}
          {sends.map(({ draftId, leavesAt }) => (
            <li key={draftId}>
              <DayAndTime at={leavesAt} />
              <OneMissedButtons draftId={draftId} title={title} leavesAt={leavesAt} />
            </li>
          ))}
          <li>
            <DiscardAll rule={rule} title={title} count={sends.length + before} />
          </li>
        </ul>
      }
    >
      <MissedReason of={first} />
      <PlanNote of={first} />
    </PlanCard>
  );
}

/** A rule that sends again and again, with its next time and its buttons. */
export function RuleCard({ rule }: { rule: SendRule }) {
  const t = useTranslations('planned');
  const text = usePlanText(rule.timeZone);
  return (
    <PlanCard kind={rule.kind} title={rule.title} when={`${text.schedule(rule)}${text.until(rule.endsOn)}`}>
      {rule.leavesAt && (
        <Text size="sm" c="dimmed">
          {t('next')} <Moment at={rule.leavesAt} />
        </Text>
      )}
      {rule.isSenderGone && (
        <Text size="sm">
          <Note tone="attention">{t('ruleSender', { name: rule.plannedBy })}</Note>
        </Text>
      )}
      <PlanNote of={rule} />
      <RuleButtons rule={rule.id} next={rule.nextDraftId} title={rule.title} />
    </PlanCard>
  );
}

function PlanNote({ of }: { of: For & { plannedBy: string } }) {
  const t = useTranslations('planned');
  return (
    <Text size="sm" c="dimmed" mb="xs">
      <Recipients {...of} /> · <bdi>{t('by', { name: of.plannedBy })}</bdi>
    </Text>
  );
}
