'use client';

import { Badge, Button, Group } from '@mantine/core';
import { Moon, Volume2 } from 'lucide-react';
import { useNow, useTranslations } from 'next-intl';
import { useRef, useSyncExternalStore } from 'react';
import { asClock, type Quiet } from '#app/portal/live/quiet/quiet.ts';
import { chime, muteSound, soundState, unlockSound, watchSound } from '#app/portal/live/sound/sound.ts';
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

const colours: Record<SoundState, string> = {
  on: 'var(--good)',
  click: 'var(--attention)',
  muted: 'gray',
  blocked: 'var(--loss)',
  unsupported: 'var(--loss)',
};

export function SoundChip() {
  const t = useTranslations('sound');
  const state = useSound();
  return (
    <Group gap="xs" mih={26}>
      {state && (
        <Badge size="lg" color={colours[state]} data-sound={state}>
          {t(state)}
        </Badge>
      )}
      <QuietBadge />
    </Group>
  );
}

export function QuietBadge() {
  const t = useTranslations('sound');
  const quiet = useQuiet();
  if (!quiet) return null;
  return (
    <Badge size="lg" variant="default" leftSection={<Moon size={14} />}>
      {t('quietUntil', { time: asClock(quiet.untilMinute) })}
    </Badge>
  );
}

/** Plays the chime once it can sound, and unmutes first. After 5 s without a sound its state is `blocked`. */
export function SoundTest() {
  const t = useTranslations('sound');
  const state = useSound();
  const { sound } = usePortalState().preferences;
  const starting = useRef(false);
  const test = async () => {
    if (state === 'muted') muteSound(false);
    if (starting.current) return;
    starting.current = true;
    if (await unlockSound()) chime(sound);
    starting.current = false;
  };
  return (
    <Button variant="default" leftSection={<Volume2 />} disabled={state === 'unsupported'} onClick={() => void test()}>
      {t('test')}
    </Button>
  );
}
