import { Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MessageCard } from '#app/owner/sends/message-cards.tsx';
import {
  DiscardAll,
  MissedButtons,
  OneMissedButtons,
  PlanButtons,
  RuleButtons,
} from '#app/owner/sends/planned/plan-buttons.tsx';
import { usePlanText } from '#app/owner/sends/when/plan-text.tsx';
import { Note } from '#app/ui/lists/list-table.tsx';
import { Timestamp, useExactTime } from '#app/ui/text/timestamp.tsx';
import type { PlannedSend, SendRule } from '#server/sends/planned/planned-list.ts';

type For = Pick<PlannedSend, 'recipients' | 'recipientName'>;

/** Says who a planned send is for. */
function Recipients({ recipientName, recipients }: For) {
  const t = useTranslations('planned');
  if (recipientName !== null) return <bdi>{recipientName}</bdi>;
  if (recipients.to === 'roles') return <bdi>{t('toRoles', { roles: recipients.roles.join(', ') })}</bdi>;
  return <>{recipients.to === 'people' ? t('toPeople', { count: recipients.employeeIds.length }) : t('toEveryone')}</>;
}

function PlanCard({
  of,
  when,
  buttons,
  below,
  children,
}: {
  of: PlannedSend | SendRule;
  when: ReactNode;
  buttons?: ReactNode;
  below?: ReactNode;
  children?: ReactNode;
}) {
  const t = useTranslations('planned');
  return (
    <MessageCard kind={of.kind} title={of.title} level={3} buttons={buttons} below={below}>
      <Text size="sm">{when}</Text>
      {children}
      <Text size="sm" mt={4} dir="auto" className="wrapping" lineClamp={2}>
        {of.body}
      </Text>
      <Text size="sm" c="dimmed" mt={4}>
        <Recipients {...of} /> · <bdi>{t('by', { name: of.plannedBy })}</bdi>
      </Text>
    </MessageCard>
  );
}

/** A planned send, with its buttons. */
export function PlannedCard({ send, timeZone }: { send: PlannedSend; timeZone: string }) {
  const t = useTranslations('planned');
  const text = usePlanText(timeZone);
  const [date = '', time = ''] = send.localTime.split('T');
  return (
    <PlanCard
      of={send}
      when={t('leaves', { when: text.moment(date, time) })}
      buttons={<PlanButtons draftId={send.draftId} title={send.title} />}
    />
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
      of={send}
      when={
        <>
          <Note tone="loss">{t('missedMark')}</Note> <Timestamp at={send.leavesAt} />
        </>
      }
      buttons={<MissedButtons draftId={send.draftId} title={send.title} />}
    >
      <MissedReason of={send} />
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
  const { title } = first;
  const before = sends.reduce((sum, { missedBefore }) => sum + missedBefore, 0);
  return (
    <PlanCard
      of={first}
      when={<Note tone="loss">{t('missedTimes', { count: sends.length + before })}</Note>}
      below={
        <ul className="missed-times">
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
    </PlanCard>
  );
}

/** A rule that sends again and again, with its next time and its buttons. */
export function RuleCard({ rule }: { rule: SendRule }) {
  const t = useTranslations('planned');
  const text = usePlanText(rule.timeZone);
  return (
    <PlanCard
      of={rule}
      when={`${text.schedule(rule)}${text.until(rule.endsOn)}`}
      buttons={<RuleButtons rule={rule.id} next={rule.nextDraftId} title={rule.title} />}
    >
      {rule.leavesAt && (
        <Text size="sm" c="dimmed">
          {t('next')} <Timestamp at={rule.leavesAt} />
        </Text>
      )}
      {rule.isSenderGone && (
        <Text size="sm">
          <Note tone="attention">{t('ruleSender', { name: rule.plannedBy })}</Note>
        </Text>
      )}
    </PlanCard>
  );
}
