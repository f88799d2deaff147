'use client';

import { useCallback, useEffect, useState } from 'react';
import type { Guessing } from '#server/accounts/sign-in/guesses.ts';
import type { Alarm } from '#server/keys/alarms.ts';

/** An alarm as JSON: its time is text. */
export type ShownAlarm = Omit<Alarm, 'at'> & Alarm & { at: string | null };

/** Someone guesses passwords, as JSON: its time is text. */
export type ShownGuessing = Omit<Guessing, 'since'> & { since: string };

type Answer = { alarms: ShownAlarm[]; guessing: ShownGuessing | null };

const nothing: Answer = { alarms: [], guessing: null };
const pollIntervalMs = 5000;
const hiddenPollIntervalMs = 30_000;

const changed = 'alarms-changed';

/** Makes every part of the page that shows alarms ask for them at once. */
export const reloadAlarms = (): boolean => window.dispatchEvent(new Event(changed));

/**
 * Polls the active alarms every 5 s while the page is visible, every 30 s while it is hidden.
 * `ended` is true when the session has ended. Without `active` it does not ask.
 */
export function useAlarms(active = true): Answer & { ended: boolean } {
  const [answer, setAnswer] = useState(nothing);
  const [ended, setEnded] = useState(false);
  const load = useCallback(async () => {
    const response = await fetch('/owner/alarms', { cache: 'no-store' }).catch(() => null);
    // Keeps the known alarms while the server does not answer.
    if (!response || (!response.ok && response.status !== 401)) return;
    setEnded(response.status === 401);
    setAnswer((await response.json()) as Answer);
  }, []);
  useEffect(() => {
    if (!active) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async () => {
      await load();
      timer = setTimeout(poll, document.hidden ? hiddenPollIntervalMs : pollIntervalMs);
    };
    const pollWhenVisible = () => {
      if (document.hidden) return;
      clearTimeout(timer);
      void poll();
    };
    void poll();
    document.addEventListener('visibilitychange', pollWhenVisible);
    window.addEventListener(changed, pollWhenVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', pollWhenVisible);
      window.removeEventListener(changed, pollWhenVisible);
    };
  }, [load, active]);
  return { ...answer, ended };
}
