'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import type { Refusal, Result } from '#app/ui/forms/fields.ts';

/** A text for each refused field; `form` is about the whole. */
export type Problems = Record<string, string>;

/**
 * Runs a form action and keeps what it refused. Known problems of fields become sentences; others
 * stay as they are, for the form that asked to name. A lost connection is told, and nothing the
 * person typed is touched.
 */
export function useAction<Input, Value>(
  action: (input: Input) => Promise<Result<Value>>,
  onDone: (value: Value) => void,
  sentences: Record<string, string> = {},
) {
  const t = useTranslations('form');
  const [pending, setPending] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const name = (problem: string) => {
    if (problem === 'session-ended') return t('ended');
    const known = ['required', 'tooLong', 'tooShort', 'invalid', 'failed'] as const;
    const standard = known.find((one) => one === problem);
    return sentences[problem] ?? (standard ? t(standard) : problem);
  };
  const nameProblems = ({ problems, waitSeconds = 0 }: Refusal): Problems =>
    problems.form === 'wait'
      ? { form: t('wait', { minutes: Math.ceil(waitSeconds / 60) }) }
      : Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, name(problem)]));
  const run = async (input: Input) => {
    const pressed = document.activeElement;
    setPending(true);
    try {
      const result = await action(input);
      if ('value' in result) {
        setProblems({});
        onDone(result.value);
      } else setProblems(nameProblems(result));
    } catch (error) {
      // Next carries redirects (the session has ended) through the same promise.
      if (error instanceof Error && 'digest' in error && String(error.digest).startsWith('NEXT_REDIRECT')) throw error;
      setProblems({ form: t('failed') });
    } finally {
      requestAnimationFrame(() => settleFocus(pressed));
      setPending(false);
    }
  };
  useClearedByTyping(problems, setProblems);
  return { run, pending, problems, clear: () => setProblems({}) };
}

// What was wrong with a field is said until the person corrects it, not until the form is sent
// again.
function useClearedByTyping(problems: Problems, setProblems: (change: (now: Problems) => Problems) => void): void {
  useEffect(() => {
    if (Object.keys(problems).length === 0) return;
    const typed = ({ target }: Event) => {
      const { name, ariaInvalid } = target as HTMLInputElement;
      if (ariaInvalid === 'true')
        setProblems((now) => Object.fromEntries(Object.entries(now).filter(([field]) => field !== name)));
    };
    document.addEventListener('input', typed);
    return () => document.removeEventListener('input', typed);
  }, [problems, setProblems]);
}

// To the first field that was refused. A button that was waited for lost the focus meanwhile: it
// gets it back, or when it is gone, the page's content does.
function settleFocus(pressed: Element | null): void {
  const refused = document.querySelector<HTMLElement>('[aria-invalid=true]');
  const lost = document.activeElement === document.body;
  const target = pressed instanceof HTMLElement && pressed.isConnected ? pressed : document.getElementById('content');
  if (refused) refused.focus();
  else if (lost) target?.focus({ preventScroll: true });
}

/** The fields of a submitted form as texts. */
export function readForm(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}
