'use client';

import { ActionIcon, Alert, Button, Group, Text } from '@mantine/core';
import { X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import {
  cancelPlanAction,
  discardMissedAction,
  endRuleAction,
  sendPlanNowAction,
} from '#app/owner/sends/when/actions.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import { useExactTime } from '#app/ui/text/moment.tsx';

type Plan = { draftId: string; title: string };

/** The buttons of a planned send: change, send now, cancel. */
export function PlanButtons(plan: Plan) {
  const t = useTranslations('planned');
  return (
    <>
      <ButtonLink href={`/owner/sends/planned/${plan.draftId}`} variant="default">
        {t('change')}
      </ButtonLink>
      <SendNow {...plan} />
      <Cancel {...plan} word="cancel" />
    </>
  );
}

/** The question about a missed send: send it now, at another time, or discard it. */
export function MissedButtons(plan: Plan) {
  const t = useTranslations('planned');
  return (
    <>
      <SendNow {...plan} isMissed />
      <ButtonLink href={`/owner/sends/planned/${plan.draftId}`} variant="default">
        {t('otherTime')}
      </ButtonLink>
      <Cancel {...plan} word="discard" />
    </>
  );
}

/** The buttons of one of several missed sends of a rule. The time tells them apart. */
export function OneMissedButtons({ leavesAt, ...plan }: Plan & { leavesAt: Date }) {
  const { full } = useExactTime(leavesAt);
  return (
    <Group gap="xs" wrap="nowrap">
      <SendNow {...plan} at={full} />
      <Cancel {...plan} word="discard" at={full} />
    </Group>
  );
}

/** The button that discards all missed sends of a rule. */
export function DiscardAll(props: { rule: number; title: string; count: number }) {
  return <ChangeRule {...props} word="discardAll" />;
}

/** The buttons of a rule: change, skip the next send, end. */
export function RuleButtons({ rule, next, title }: { rule: number; next: string | null; title: string }) {
  const t = useTranslations('planned');
  return (
    <>
      <ButtonLink href={`/owner/sends/planned/rules/${rule}`} variant="default">
        {t('change')}
      </ButtonLink>
      {next && <Cancel draftId={next} title={title} word="skip" />}
      <ChangeRule rule={rule} title={title} word="end" />
    </>
  );
}

// With `at`, one of several: short, and named with its time.
function SendNow({ draftId, title, isMissed = false, at }: Plan & { isMissed?: boolean; at?: string }) {
  const t = useTranslations('planned');
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const follow = (no: number | null) => (no === null ? router.refresh() : router.push(`/owner/sends/${no}?sent`));
  const { run, pending, problems } = useAction(sendPlanNowAction, follow, { planGone: t('planGone') });
  return (
    <>
      <Button
        variant={isMissed ? 'filled' : 'default'}
        aria-label={at && t('sendOneAt', { at })}
        onClick={() => setAsking(true)}
      >
        {t(at ? 'sendOne' : 'sendNow')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('sendNowTitle', { title })}
          submit={t('sendNow')}
          problem={problems.form}
          pending={pending}
          onClose={() => setAsking(false)}
          onConfirm={() => void run({ draftId })}
        >
          <Text>{t('sendNowText')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}

function Cancel({ draftId, title, word, at }: Plan & { word: 'cancel' | 'discard' | 'skip'; at?: string }) {
  const t = useTranslations('planned');
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const follow = () => {
    setAsking(false);
    router.refresh();
  };
  const { run, pending, problems } = useAction(cancelPlanAction, follow, { planGone: t('planGone') });
  return (
    <>
      {at ? (
        <ActionIcon
          size={44}
          variant="subtle"
          color="gray"
          aria-label={t('discardOneAt', { at })}
          onClick={() => setAsking(true)}
        >
          <X aria-hidden size={20} />
        </ActionIcon>
      ) : (
        <Button
          variant={word === 'skip' ? 'default' : 'light'}
          color={word === 'skip' ? undefined : 'red'}
          onClick={() => setAsking(true)}
        >
          {t(`${word}.button`)}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={t(`${word}.title`, { title })}
          submit={t(`${word}.button`)}
          isDestructive={word !== 'skip'}
          pending={pending}
          onClose={() => setAsking(false)}
          onConfirm={() => void run({ draftId })}
        >
          <Text>{t(`${word}.text`)}</Text>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
        </ConfirmDialog>
      )}
    </>
  );
}

const changes = { end: endRuleAction, discardAll: discardMissedAction };

function ChangeRule({
  rule,
  title,
  word,
  count = 0,
}: {
  rule: number;
  title: string;
  word: keyof typeof changes;
  count?: number;
}) {
  const t = useTranslations('planned');
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const follow = () => {
    setAsking(false);
    router.refresh();
  };
  const { run, pending, problems } = useAction(changes[word], follow, { planGone: t('planGone') });
  return (
    <>
      <Button variant="light" color="red" onClick={() => setAsking(true)}>
        {t(`${word}.button`)}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t(`${word}.title`, { title, count })}
          submit={t(`${word}.button`)}
          isDestructive
          problem={problems.form}
          pending={pending}
          onClose={() => setAsking(false)}
          onConfirm={() => void run({ rule })}
        >
          <Text>{t(`${word}.text`)}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
