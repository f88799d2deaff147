import { Card, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MissedButtons, PlanButtons, RuleButtons } from '#app/owner/sends/planned/plan-buttons.tsx';
import { usePlanText } from '#app/owner/sends/when/plan-text.tsx';
import { KindDisc } from '#app/portal/notification/kind-icon.tsx';
import { Note } from '#app/ui/lists/list-table.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
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
  children,
}: {
  kind: Kind;
  title: string;
  when: ReactNode;
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
      <Text size="sm" c="dimmed">
        {send.reason === 'sender'
          ? t('missedSender', { name: send.plannedBy })
          : t(send.reason === 'recipient' ? 'missedRecipient' : 'missedLate')}
      </Text>
      <PlanNote of={send} />
      <MissedButtons draftId={send.draftId} title={send.title} />
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
