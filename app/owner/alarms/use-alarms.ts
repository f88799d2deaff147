'use client';

import { useCallback, useEffect, useState } from 'react';
import type { Alarm } from '#server/keys/alarms.ts';

/** An alarm on its way through JSON. */
export type ShownAlarm = Omit<Alarm, 'at'> & Alarm & { at: string | null };

const everyMs = 5000;
const hiddenEveryMs = 30_000;

/**
 * What the owner should look at now, asked every 5 s while the page is looked at; `look` asks at once. `ended` says that the
 * session is over.
 */
export function useAlarms(): { alarms: ShownAlarm[]; ended: boolean; look: () => void } {
  const [alarms, setAlarms] = useState<ShownAlarm[]>([]);
  const [ended, setEnded] = useState(false);
  const look = useCallback(async () => {
    const response = await fetch('/owner/alarms', { cache: 'no-store' }).catch(() => null);
    // Out of reach: what is known stays.
    if (!response || (!response.ok && response.status !== 401)) return;
    setEnded(response.status === 401);
    setAlarms(((await response.json()) as { alarms: ShownAlarm[] }).alarms);
  }, []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = async () => {
      await look();
      timer = setTimeout(next, document.hidden ? hiddenEveryMs : everyMs);
    };
    const looked = () => {
      if (document.hidden) return;
      clearTimeout(timer);
      void next();
    };
    void next();
    document.addEventListener('visibilitychange', looked);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', looked);
    };
  }, [look]);
  return { alarms, ended, look: () => void look() };
}
