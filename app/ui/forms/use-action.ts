import { useWindowEvent } from '@mantine/hooks';
import { unstable_isUnrecognizedActionError as isUnknownAction, unstable_rethrow, useRouter } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { createContext, use, useState } from 'react';
import type { FormRefusal, Result } from '#app/ui/forms/fields.ts';
import type { Problems } from '#app/ui/forms/form-values.ts';
import { asNamedWait } from '#app/ui/text/times.ts';

/** Asks the person to prove who they are, then calls `again`. `Reauthentication` provides it. */
export const AskToProve = createContext<(again: () => void) => void>(() => {});

/** Asks the person to sign in again, then calls `again`. `SignInAgain` provides it; other pages cannot. */
export const AskToSignIn = createContext<((again: () => void) => void) | null>(null);

// A load balancer may send each try to another machine, again to one that does not know the action.
const maxTries = 12;
const retryPauseMs = 300;

// Calls a form action. While machines are updated, a request may reach one whose version does not
// know the action. That machine did nothing, so the action is called again for a few seconds.
async function callKnown<Value>(call: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++)
    try {
      return await call();
    } catch (error) {
      if (!isUnknownAction(error) || tries === maxTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
    }
}

/** The sentences for problems that only one form knows: by their names, or a function that may know one. */
export type Sentences = Record<string, string> | ((problem: string) => string | undefined);

/**
 * Runs a form action and keeps its problems as sentences; `sentences` has those that only this form knows. After a success
 * it calls `onDone`, or refreshes the page without one. A lost connection, or an action that a newer version of the service
 * no longer has, is a problem of the whole form. Offline it sends nothing, so nothing happens later without the person.
 * Where the action needs a password or a sign-in, these are asked for, and it runs again.
 */
export function useAction<Input, Value>(
  action: (input: Input) => Promise<Result<Value>>,
  onDone?: (value: Value) => void,
  sentences: Sentences = {},
) {
  const t = useTranslations('form');
  const format = useFormatter();
  const router = useRouter();
  const askToProve = use(AskToProve);
  const askToSignIn = use(AskToSignIn);
  const [pending, setPending] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const name = (problem: string) => {
    const own = typeof sentences === 'function' ? sentences(problem) : sentences[problem];
    const usual = (problem === 'session-ended' ? 'ended' : problem) as 'failed';
    return own ?? (t.has(usual) ? t(usual) : problem);
  };
  const nameProblems = ({ problems, waitSeconds = 0 }: FormRefusal): Problems =>
    problems.form === 'wait'
      ? { form: t('wait', { when: format.relativeTime(asNamedWait(waitSeconds), 0) }) }
      : Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, name(problem)]));
  const run = async (input: Input) => {
    if (!navigator.onLine) return setProblems({ form: t('offline') });
    const pressed = document.activeElement;
    let refused: Problems = {};
    setPending(true);
    try {
      const result = await callKnown(() => action(input));
      if ('value' in result) onDone ? onDone(result.value) : router.refresh();
      else if (result.problems.form === 'prove-again') askToProve(() => void run(input));
      else refused = nameProblems(result);
      if ('problems' in result && result.problems.form === 'session-ended') askToSignIn?.(() => void run(input));
    } catch (error) {
      // Next throws redirects through the promise of an action.
      unstable_rethrow(error);
      refused = { form: t(isUnknownAction(error) ? 'otherVersion' : 'failed') };
    } finally {
      setProblems(refused);
      requestAnimationFrame(() => settleFocus(pressed, refused.form));
      setPending(false);
    }
  };
  // Typing clears the problem of its field.
  useWindowEvent('input', ({ target }) => {
    const { name: typed, ariaInvalid } = target as HTMLInputElement;
    if (typed in problems && ariaInvalid === 'true')
      setProblems((now) => Object.fromEntries(Object.entries(now).filter(([field]) => field !== typed)));
  });
  return { run, pending, problems, clear: () => setProblems({}) };
}

// Focuses the first refused field. Otherwise, if the pressed button lost the focus while it was
// disabled, focuses it again, or the page's content if the button was removed. Scrolls to the problem
// of the form, which on a phone may be far above the button.
function settleFocus(pressed: Element | null, problem?: string): void {
  const refused = document.querySelector<HTMLElement>('[aria-invalid=true]');
  const lost = document.activeElement === document.body;
  const target = pressed instanceof HTMLElement && pressed.isConnected ? pressed : document.getElementById('content');
  if (refused) refused.focus();
  else if (lost) target?.focus({ preventScroll: true });
  const alerts = problem ? [...document.querySelectorAll('[role=alert]')] : [];
  alerts.find(({ textContent }) => textContent === problem)?.scrollIntoView({ block: 'nearest' });
}
