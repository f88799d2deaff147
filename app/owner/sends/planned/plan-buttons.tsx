'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { cancelPlanAction, endRuleAction, sendPlanNowAction } from '#app/owner/sends/actions.ts';
import type { Result } from '#app/ui/forms/fields.ts';
import { ConfirmedAction } from '#app/ui/sessions/form-dialog.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';

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
  const t = useTranslations('planned');
  const router = useRouter();
  return (
    <ConfirmedAction
      look={{ variant: isMissed ? 'filled' : 'default' }}
      action={sendPlanNowAction}
      input={{ draftId }}
      sentences={{ planGone: t('planGone') }}
      onDone={(no) => no !== null && router.push(`/owner/sends/${no}?sent`)}
      title={t('sendNowTitle', { title })}
      submit={t('sendNow')}
      text={t('sendNowText')}
    />
  );
}

type ChangeProps<Input> = {
  word: 'cancel' | 'discard' | 'skip' | 'end' | 'discardAll';
  action: (input: Input) => Promise<Result<unknown>>;
  input: Input;
  title: string;
  count?: number;
};

/** A button that ends what is planned, or a part of it, after a question. */
export function Change<Input>({ word, action, input, title, count = 0 }: ChangeProps<Input>) {
  const t = useTranslations('planned');
  const isDestructive = word !== 'skip';
  return (
    <ConfirmedAction
      action={action}
      input={input}
      sentences={{ planGone: t('planGone') }}
      title={t(`${word}.title`, { title, count })}
      submit={t(`${word}.button`)}
      isDestructive={isDestructive}
      text={t(`${word}.text`)}
    />
  );
}

function Cancel({ draftId, ...plan }: Plan & { word: 'cancel' | 'discard' | 'skip' }) {
  return <Change {...plan} action={cancelPlanAction} input={{ draftId }} />;
}
