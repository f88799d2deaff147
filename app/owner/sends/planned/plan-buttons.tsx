'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ComponentProps } from 'react';
import { sendPlanNowAction } from '#app/owner/sends/actions.ts';
import { ConfirmedAction } from '#app/ui/sessions/form-dialog.tsx';
import { withoutMarks } from '#server/notifications/text-marks.ts';

export function SendNow({ draftId, title, isMissed }: { draftId: string; title: string; isMissed?: boolean }) {
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
