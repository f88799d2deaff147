'use client';

import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { sendDraftAction } from '#app/owner/sends/new/actions.ts';
import { makeDraftId } from '#app/owner/sends/new/draft-id.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import type { FirstPerson } from '#server/companies/overview.ts';

/** Sends the first person a greeting. A press whose answer was lost is repeated, not sent twice. */
export function useGreeting({ id, name }: FirstPerson) {
  const t = useTranslations('firstSteps.greeting');
  const [isSent, setIsSent] = useState(false);
  const draftId = useRef<string>(null);
  const { run, pending, problems } = useAction(
    sendDraftAction,
    () => {
      setIsSent(true);
      draftId.current = null;
    },
    { gone: t('gone') },
  );
  const greet = () => {
    draftId.current ??= makeDraftId();
    void run({
      draftId: draftId.current,
      to: 'one',
      recipientId: id,
      roles: [],
      people: [],
      kind: 'info',
      title: t('heading', { name: name.slice(0, 60) }),
      body: t('body'),
      url: '',
      mustConfirm: false,
    });
  };
  return { greet, pending, isSent, problem: problems.form ?? Object.values(problems)[0] };
}
