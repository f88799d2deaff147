import { useNow } from 'next-intl';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Quiet } from '#app/portal/live/quiet/quiet.ts';
import { soundState, soundVolume, watchSound } from '#app/portal/live/sound/sound.ts';
import type { PortalState } from '#app/portal/live/store/portal-state.ts';
import type { PortalStore } from '#app/portal/live/store/portal-store.ts';
import type { SoundState } from '#server/employees/portal-visits.ts';

const PortalContext = createContext<PortalStore | null>(null);

export const PortalProvider = PortalContext.Provider;

/** Returns the live store of this page. Throws outside of `Listener`. */
export function usePortal(): PortalStore {
  const portal = useContext(PortalContext);
  if (!portal) throw new Error('usePortal needs a Listener around the component');
  return portal;
}

/** Renders again at each change of the live state. Throws outside of `Listener`. */
export function usePortalState(): PortalState {
  const portal = usePortal();
  const read = () => portal.state;
  // A part of the page may be hydrated after the first notification has arrived.
  return useSyncExternalStore(portal.subscribe, read, () => portal.opened);
}

export const useOptionalPortal = (): PortalStore | null => useContext(PortalContext);

export function useSessionEnded(): boolean {
  const portal = useOptionalPortal();
  const read = () => portal?.state.sessionEnded ?? false;
  return useSyncExternalStore(portal?.subscribe ?? subscribeToNothing, read, () => false);
}

/** Whether this part is being hydrated and must look as the service rendered it. */
export function useHydrating(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => false,
    () => true,
  );
}

const subscribeToNothing = () => () => {};

const quietCheckMs = 30_000;

/** Returns the state of the sound, or undefined before the browser has told it. */
export function useSound(): SoundState | undefined {
  return useSyncExternalStore<SoundState | undefined>(watchSound, soundState, () => undefined);
}

/** Returns the volume of the sound in percent. */
export const useSoundVolume = (): number => useSyncExternalStore(watchSound, soundVolume, () => 80);

/** Returns the quiet that the employee wants now, checked every 30 s. */
export function useQuiet(): Quiet {
  const portal = usePortal();
  // The answer changes with the preferences and with the time.
  usePortalState();
  useNow({ updateInterval: quietCheckMs });
  return portal.quietNow();
}
