'use client';

import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { cancelPlanAction, endRuleAction, sendPlanNowAction } from '#app/owner/sends/actions.ts';
import type { Result } from '#app/ui/forms/fields.ts';
import { ConfirmedAction } from '#app/ui/sessions/confirmed-action.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { useExactTime } from '#app/ui/text/timestamp.tsx';

type Plan = { draftId: string; title: string };

/** The buttons of a planned send; of a missed one the question: now, at another time, or not at all. */
export function PlanButtons({ isMissed, ...plan }: Plan & { isMissed?: boolean }) {
  const t = useTranslations('planned');
  const change = (
    <ButtonLink href={`/owner/sends/planned/${plan.draftId}`} variant="default">
      {t(isMissed ? 'otherTime' : 'change')}
    </ButtonLink>
  );
  return (
    <>
      {!isMissed && change}
      <SendNow {...plan} isMissed={isMissed} />
      {isMissed && change}
      <Cancel {...plan} word={isMissed ? 'discard' : 'cancel'} />
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

export function RuleButtons({ rule, next, title }: { rule: number; next: string | null; title: string }) {
  const t = useTranslations('planned');
  return (
    <>
      <ButtonLink href={`/owner/sends/planned/rules/${rule}`} variant="default">
        {t('change')}
      </ButtonLink>
      {next && <Cancel draftId={next} title={title} word="skip" />}
      <Change title={title} word="end" action={endRuleAction} input={{ rule }} />
    </>
  );
}

// With `at`, one of several: short, and named with its time.
function SendNow({ draftId, title, isMissed = false, at }: Plan & { isMissed?: boolean; at?: string }) {
  const t = useTranslations('planned');
  const router = useRouter();
  return (
    <ConfirmedAction
      button={(ask) => (
        <Button variant={isMissed ? 'filled' : 'default'} aria-label={at && t('sendOneAt', { at })} onClick={ask}>
          {t(at ? 'sendOne' : 'sendNow')}
        </Button>
      )}
      action={sendPlanNowAction}
      input={{ draftId }}
      sentences={{ planGone: t('planGone') }}
      onDone={(no) => (no === null ? router.refresh() : router.push(`/owner/sends/${no}?sent`))}
      title={t('sendNowTitle', { title })}
      submit={t('sendNow')}
    >
      <Text>{t('sendNowText')}</Text>
    </ConfirmedAction>
  );
}

type ChangeProps<Input> = {
  word: 'cancel' | 'discard' | 'skip' | 'end' | 'discardAll';
  action: (input: Input) => Promise<Result<null>>;
  input: Input;
  title: string;
  count?: number;
  at?: string;
};

/** A button that ends what is planned, or a part of it, after a question. */
export function Change<Input>({ word, action, input, title, count = 0, at }: ChangeProps<Input>) {
  const t = useTranslations('planned');
  const isDestructive = word !== 'skip';
  return (
    <ConfirmedAction
      button={(ask) =>
        at ? (
          <ActionIcon variant="subtle" color="gray" aria-label={t('discardOneAt', { at })} onClick={ask}>
            <X aria-hidden size={20} />
          </ActionIcon>
        ) : (
          <Button variant="default" onClick={ask}>
            {t(`${word}.button`)}
          </Button>
        )
      }
      action={action}
      input={input}
      sentences={{ planGone: t('planGone') }}
      title={t(`${word}.title`, { title, count })}
      submit={t(`${word}.button`)}
      isDestructive={isDestructive}
    >
      <Text>{t(`${word}.text`)}</Text>
    </ConfirmedAction>
  );
}

function Cancel({ draftId, ...plan }: Plan & { word: 'cancel' | 'discard' | 'skip'; at?: string }) {
  return <Change {...plan} action={cancelPlanAction} input={{ draftId }} />;
}
