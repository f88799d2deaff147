'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ComponentProps } from 'react';
import { cancelPlanAction, endRuleAction, sendPlanNowAction } from '#app/owner/sends/actions.ts';
import { ConfirmedAction } from '#app/ui/sessions/form-dialog.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { withoutMarks } from '#server/notifications/text-marks.ts';

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

export function RuleButtons({ rule, next, title }: { rule: number; next: string | null; title: string }) {
  const t = useTranslations('planned');
  return (
    <>
      <ButtonLink href={`/owner/sends/planned/${rule}`} variant="default">
        {t('change')}
      </ButtonLink>
      {next && <Cancel draftId={next} title={title} word="skip" />}
      <Change title={title} word="end" action={endRuleAction} input={{ rule }} />
    </>
  );
}

export function SendNow({ draftId, title, isMissed = false }: Plan & { isMissed?: boolean }) {
  const router = useRouter();
  return (
    <Change
      word="sendNow"
      title={title}
      look={{ variant: isMissed ? 'filled' : 'default' }}
      action={sendPlanNowAction}
      input={{ draftId }}
      onDone={(no) => no !== null && router.push(`/owner/sends/${no}?sent`)}
    />
  );
}

type ChangeProps<Input, Value> = Pick<
  ComponentProps<typeof ConfirmedAction<Input, Value>>,
  'action' | 'input' | 'look' | 'onDone'
> & { word: 'cancel' | 'discard' | 'skip' | 'end' | 'discardAll' | 'sendNow'; title: string; count?: number };

/** A button that changes what is planned, or a part of it, after a question. */
export function Change<Input, Value>({ word, title, count = 0, ...change }: ChangeProps<Input, Value>) {
  const t = useTranslations('planned');
  return (
    <ConfirmedAction
      {...change}
      sentences={{ planGone: t('planGone') }}
      title={t(`${word}.title`, { title: withoutMarks(title), count })}
      submit={t(`${word}.button`)}
      isDestructive={word !== 'skip' && word !== 'sendNow'}
      text={t(`${word}.text`)}
    />
  );
}

function Cancel({ draftId, ...plan }: Plan & { word: 'cancel' | 'discard' | 'skip' }) {
  return <Change {...plan} action={cancelPlanAction} input={{ draftId }} />;
}
