'use client';

import { useIdle, useInterval } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { PageLink } from '#app/ui/text/links.tsx';
import type { SendOutcome } from '#server/sends/history/outcomes.ts';

type Props = { no: number; reach: number; answers: string[]; outcome: SendOutcome; isLive: boolean };

/** How many people gave each answer and how many none, asked anew every 3 s, every 30 s of an idle person. Each leads to its people. */
export function AnswerFigures({ no, reach, answers, outcome, isLive }: Props) {
  const t = useTranslations('sends');
  const router = useRouter();
  const isIdle = useIdle(60_000, { initialState: false });
  const [now, setNow] = useState(outcome);
  useEffect(() => setNow(outcome), [outcome]);
  const load = async () => {
    const next: SendOutcome | null = await fetch(`/owner/sends/${no}/outcome`, { cache: 'no-store' })
      .then((response) => (response.ok ? response.json() : null))
      .catch(() => null);
    if (next === null || JSON.stringify(next) === JSON.stringify(now)) return;
    setNow(next);
    // The rest of the page, too. As a refresh is activity, a left computer signs out without it.
    if (!isIdle) router.refresh();
  };
  useInterval(() => void (isLive && !document.hidden && load()), isIdle ? 30_000 : 3000, { autoInvoke: true });
  const figures = answers.map((text, index) => ({ state: `answer${index + 1}`, text, value: now.answers[index] ?? 0 }));
  figures.push({ state: 'unconfirmed', text: t('unanswered'), value: Math.max(0, reach - now.confirmed) });
  return figures.map(({ state, text, value }) => {
    const count = (
      <>
        <strong>{value}</strong> <bdi>{text}</bdi>
      </>
    );
    const href = `/owner/sends/${no}?state=${state}#people`;
    return (
      <span key={state} data-stat={state}>
        {value > 0 ? <PageLink href={href}>{count}</PageLink> : count}
      </span>
    );
  });
}
