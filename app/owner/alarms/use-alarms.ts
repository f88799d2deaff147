'use client';

import { useCallback, useEffect, useState } from 'react';
import type { Alarm } from '#server/keys/alarms.ts';

/** An alarm as JSON: its time is text. */
export type ShownAlarm = Omit<Alarm, 'at'> & Alarm & { at: string | null };

const pollIntervalMs = 5000;
const hiddenPollIntervalMs = 30_000;

/**
 * Polls the active alarms every 5 s while the page is visible, every 30 s while it is hidden.
 * `reload` polls at once. `ended` is true when the session has ended.
 */
export function useAlarms(): { alarms: ShownAlarm[]; ended: boolean; reload: () => void } {
  const [alarms, setAlarms] = useState<ShownAlarm[]>([]);
  const [ended, setEnded] = useState(false);
  const load = useCallback(async () => {
    const response = await fetch('/owner/alarms', { cache: 'no-store' }).catch(() => null);
    // Keeps the known alarms while the server does not answer.
    if (!response || (!response.ok && response.status !== 401)) return;
    setEnded(response.status === 401);
    setAlarms(((await response.json()) as { alarms: ShownAlarm[] }).alarms);
  }, []);
  useEffect(() => {
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
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', pollWhenVisible);
    };
  }, [load]);
  return { alarms, ended, reload: () => void load() };
}
