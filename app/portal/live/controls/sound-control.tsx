'use client';

import { Badge, Button, Group } from '@mantine/core';
import { Moon, Volume2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { useQuiet, useSound } from '#app/portal/live/controls/use-sound.ts';
import { asClock } from '#app/portal/live/quiet/quiet.ts';
import { chime, muteSound, unlockSound } from '#app/portal/live/sound/sound.ts';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import type { SoundState } from '#server/employees/portal-visits.ts';

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
