'use client';

import { Stack } from '@mantine/core';
import { useIdle, useInterval } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { ShareBar } from '#app/ui/pictures/charts.tsx';
import { PageLink, TextLink } from '#app/ui/text/links.tsx';
import type { SendOutcome } from '#server/sends/history/outcomes.ts';

const pollMs = 3000;
const idleMs = 60_000;

type Props = { no: number; reach: number; answers: string[]; outcome: SendOutcome; isLive: boolean };

/** How many people gave each answer and how many none, which moves while one looks. Each leads to these people. */
export function AnswerFigures({ no, reach, answers, outcome, isLive }: Props) {
  const t = useTranslations('sends');
  const router = useRouter();
  const isIdle = useIdle(idleMs, { initialState: false });
  const [now, setNow] = useState(outcome);
  useEffect(() => setNow(outcome), [outcome]);
  const load = async () => {
    const response = await fetch(`/owner/sends/${no}/outcome`, { cache: 'no-store' }).catch(() => null);
    const next = response?.ok ? ((await response.json()) as SendOutcome) : now;
    if (JSON.stringify(next) === JSON.stringify(now)) return;
    setNow(next);
    // The list of the people, too. As a refresh is activity, a left computer signs out without it.
    if (!isIdle) router.refresh();
  };
  useInterval(() => void (isLive && !document.hidden && load()), pollMs, { autoInvoke: true });
  const left = Math.max(0, reach - now.confirmed);
  const figure = (state: string, value: number, text: string) => (
    <span key={state} data-stat={state}>
      {value > 0 ? (
        <PageLink href={`/owner/sends/${no}?state=${state}#people`}>
          <strong>{value}</strong> <bdi>{text}</bdi>
        </PageLink>
      ) : (
        <>
          <strong>{value}</strong> <bdi>{text}</bdi>
        </>
      )}
    </span>
  );
  const label = t('answeredOf', { confirmed: now.confirmed, reach });
  return (
    <Stack gap={3} fz="var(--type-12)" lh="1rem">
      <span className="send-figures answer-figures">
        {answers.map((answer, index) => figure(`answer${index + 1}`, now.answers[index] ?? 0, answer))}
        {figure('unconfirmed', left, t('unanswered'))}
      </span>
      <ShareBar
        label={label}
        total={reach}
        parts={[
          { label: t('legend.done'), value: now.confirmed, tone: 'accent' },
          { label: t('legend.shown'), value: Math.max(0, now.shown - now.confirmed), tone: 'outline' },
        ]}
      />
      {now.beforeCorrection > 0 && (
        <TextLink href={`/owner/sends/${no}?state=beforeCorrection#people`}>
          {t('formerConfirmations', { count: now.beforeCorrection })}
        </TextLink>
      )}
    </Stack>
  );
}
