import { useNow } from 'next-intl';
import { useSyncExternalStore } from 'react';
import type { Quiet } from '#app/portal/live/quiet/quiet.ts';
import { soundState, watchSound } from '#app/portal/live/sound/sound.ts';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import type { SoundState } from '#server/employees/portal-visits.ts';

const quietCheckMs = 30_000;

/** Returns the state of the sound, or undefined before the browser has told it. */
export function useSound(): SoundState | undefined {
  return useSyncExternalStore<SoundState | undefined>(watchSound, soundState, () => undefined);
}

/** Returns the quiet that the employee wants now, checked every 30 s. */
export function useQuiet(): Quiet {
  const portal = usePortal();
  // The answer changes with the preferences and with the time.
  usePortalState();
  useNow({ updateInterval: quietCheckMs });
  return portal.quietNow();
}
