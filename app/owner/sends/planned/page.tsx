import { Stack, Text, Title } from '@mantine/core';
import { CalendarClock } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { cancelPlanAction, endRuleAction } from '#app/owner/sends/actions.ts';
import { MessageCard, MessageCards } from '#app/owner/sends/message-cards.tsx';
import { Change, SendNow } from '#app/owner/sends/planned/plan-buttons.tsx';
import { sayRecipients } from '#app/owner/sends/send-query.ts';
import { usePlanText } from '#app/owner/sends/when/plan-text.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/list-parts.tsx';
import { Note } from '#app/ui/lists/list-table.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { listPlanned, type PlannedSend, type SendRule } from '#server/sends/planned/planned-list.ts';

const path = '/owner/sends/planned';

export const generateMetadata = titled('planned', 'title');

export default async function Planned() {
  const manager = await requireManager(path);
  const [t, { sends, rules }] = await Promise.all([getTranslations('planned'), listPlanned(manager)]);
  const missed = sends.filter(({ missedAt }) => missedAt !== null);
  const waiting = sends.filter(({ missedAt }) => missedAt === null);
  return (
    <>
      <PageHead compact title={t('title')}>
        <ButtonLink href="/owner/sends/new" icon={<CalendarClock />} text={t('new')} />
      </PageHead>
      {sends.length + rules.length === 0 && (
        <EmptyState icon={<CalendarClock size={32} />} title={t('empty')} text={t('emptyText')} />
      )}
      <Plans title={t('missed')} count={missed.length}>
        {missed.map((send) => (
          <MissedCard key={send.draftId} send={send} />
        ))}
      </Plans>
      <Plans title={t('waiting')} count={waiting.length}>
        {waiting.map((send) => (
          <WaitingCard key={send.draftId} send={send} timeZone={manager.timeZone} />
        ))}
      </Plans>
      <Plans title={t('repeating')} count={rules.length}>
        {rules.map((rule) => (
          <RuleCard key={rule.id} rule={rule} />
        ))}
      </Plans>
    </>
  );
}

function Plans({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <Stack component="section" gap="sm" mt={24} aria-label={title}>
      <Title order={2}>{title}</Title>
      <MessageCards align="start">{children}</MessageCards>
    </Stack>
  );
}

type CardProps = { of: PlannedSend | SendRule; when: ReactNode; buttons: ReactNode; children?: ReactNode };

function PlanCard({ of, when, buttons, children }: CardProps) {
  const t = useTranslations('planned');
  const sends = useTranslations('sends');
  return (
    <MessageCard of={of} title={of.title} level={3} buttons={buttons}>
      <Text size="sm">{when}</Text>
      {children}
      <Text size="sm" mt={4} dir="auto" className="wrapping" lineClamp={2}>
        <MarkedText text={of.body} />
      </Text>
      <Text className="fine-print" mt={4}>
        <bdi>{sayRecipients(of, t('toEveryone'), sends)}</bdi> · <bdi>{t('by', { name: of.plannedBy })}</bdi>
      </Text>
    </MessageCard>
  );
}

function WaitingCard({ send, timeZone }: { send: PlannedSend; timeZone: string }) {
  const t = useTranslations('planned');
  const text = usePlanText(timeZone);
  const { draftId, title } = send;
  const [date = '', time = ''] = send.localTime.split('T');
  const buttons = (
    <>
      <ButtonLink href={`${path}/${draftId}`} variant="default" text={t('change')} />
      <SendNow draftId={draftId} title={title} />
      <Change word="cancel" action={cancelPlanAction} input={{ draftId }} title={title} />
    </>
  );
  return <PlanCard of={send} when={t('leaves', { when: text.moment(date, time) })} buttons={buttons} />;
}

// A missed send. That of a rule stands for all that the rule missed.
function MissedCard({ send }: { send: PlannedSend }) {
  const t = useTranslations('planned');
  const { draftId, title, leavesAt, missedBefore, reason, plannedBy } = send;
  const [count, areSeveral] = [missedBefore + 1, missedBefore > 0];
  const when = (
    <>
      <Note tone="loss">{areSeveral ? t('missedTimes', { count }) : t('missedMark')}</Note> <Timestamp at={leavesAt} />
    </>
  );
  const buttons = (
    <>
      <SendNow draftId={draftId} title={title} isMissed />
      {!areSeveral && <ButtonLink href={`${path}/${draftId}`} variant="default" text={t('otherTime')} />}
      <Change
        word={areSeveral ? 'discardAll' : 'discard'}
        action={cancelPlanAction}
        input={{ draftId }}
        title={title}
        count={count}
      />
    </>
  );
  const text = reason === 'recipient' ? t('missedRecipient') : t('missedLate');
  return (
    <PlanCard of={send} when={when} buttons={buttons}>
      <Text className="fine-print">{reason === 'sender' ? t('missedSender', { name: plannedBy }) : text}</Text>
    </PlanCard>
  );
}

function RuleCard({ rule }: { rule: SendRule }) {
  const t = useTranslations('planned');
  const text = usePlanText(rule.timeZone);
  const { id, title, nextDraftId: draftId } = rule;
  const buttons = (
    <>
      <ButtonLink href={`${path}/${id}`} variant="default" text={t('change')} />
      {draftId && <Change word="skip" action={cancelPlanAction} input={{ draftId }} title={title} />}
      <Change word="end" action={endRuleAction} input={{ rule: id }} title={title} />
    </>
  );
  return (
    <PlanCard of={rule} when={`${text.schedule(rule)}${text.until(rule.endsOn)}`} buttons={buttons}>
      {rule.leavesAt && (
        <Text className="fine-print">
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
