'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { DraftInput } from '#app/owner/sends/draft-input.ts';
import { changePlanAction, changeRuleAction, makeRuleAction, planSendAction } from '#app/owner/sends/when/actions.ts';
import { type When, WhenFields } from '#app/owner/sends/when/when-fields.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

/**
 * What the form knows of the time of a send: the company's zone, the first values of the fields, and
 * what it changes, if that is planned already.
 */
export type Planning = { timeZone: string; initial: When; changes?: { plan: string } | { rule: number } };

const modesOf = ({ changes }: Planning): readonly When['mode'][] => {
  if (!changes) return ['now', 'later', 'repeat'];
  return 'plan' in changes ? ['later'] : ['repeat'];
};

/**
 * The part of the form that plans a send. `fields` are its fields. `submit` plans what the form says
 * and returns true, or returns false when it is to be sent now. `label` is the text of the button
 * then.
 */
export function usePlanning(planning: Planning, sentences: Record<string, string>) {
  const { timeZone, initial, changes } = planning;
  const t = useTranslations('planned');
  const router = useRouter();
  const [when, setWhen] = useState(initial);
  const names = ['past', 'tooFar', 'tooManyPlans', 'never', 'planGone', 'weekdayMissing'] as const;
  const all = { ...sentences, ...Object.fromEntries(names.map((name) => [name, t(name)])) };
  const follow = () => router.push('/owner/sends/planned');
  const planned = useAction(planSendAction, follow, all);
  const changedPlan = useAction(changePlanAction, follow, all);
  const made = useAction(makeRuleAction, follow, all);
  const changedRule = useAction(changeRuleAction, follow, all);
  const runs = [planned, changedPlan, made, changedRule];
  const submit = (input: DraftInput): boolean => {
    const { date, time, every, weekdays, monthDay, endsOn } = when;
    const schedule = { every, weekdays, monthDay, time, startsOn: date, endsOn: endsOn || null };
    if (when.mode === 'now') return false;
    if (changes && 'plan' in changes) void changedPlan.run({ ...input, ...changes, date, time });
    else if (changes) void changedRule.run({ ...input, ...changes, schedule });
    else if (when.mode === 'later') void planned.run({ ...input, date, time });
    else void made.run({ ...input, schedule });
    return true;
  };
  const problems: Record<string, string> = Object.assign({}, ...runs.map((run) => run.problems));
  const fields: ReactNode = (
    <WhenFields
      when={when}
      timeZone={timeZone}
      modes={modesOf(planning)}
      problems={problems}
      onChange={(change) => {
        for (const run of runs) run.clear();
        setWhen((now) => ({ ...now, ...change }));
      }}
    />
  );
  const label = when.mode === 'now' ? null : changes ? t('save') : t(when.mode === 'later' ? 'plan' : 'makeRule');
  return { fields, submit, label, problems, pending: runs.some(({ pending }) => pending) };
}
