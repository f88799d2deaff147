'use client';

import { ActionIcon, Alert, Badge, Button, Group } from '@mantine/core';
import { Volume2, VolumeOff, VolumeX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useSyncExternalStore } from 'react';
import { chime, muteSound, type SoundState, soundState, unlockSound, watchSound } from '#app/portal/listener/sound.ts';

/** The true state of the sound; undefined until the browser was asked. */
export function useSound(): SoundState | undefined {
  return useSyncExternalStore<SoundState | undefined>(watchSound, soundState, () => undefined);
}

/** A bar that says when the browser blocks the sound, with the button that cures it. */
export function SoundBar() {
  const t = useTranslations('sound');
  if (useSound() !== 'click') return null;
  return (
    <Alert color="yellow" variant="light" mb="md" icon={<VolumeX aria-hidden size={20} />} role="status">
      <Group justify="space-between">
        {t('blockedText')}
        <Button variant="filled" onClick={unlockSound}>
          {t('enable')}
        </Button>
      </Group>
    </Alert>
  );
}

/** Mutes and unmutes, in the header of every page. */
export function MuteButton() {
  const t = useTranslations('sound');
  const state = useSound();
  const muted = state === 'muted';
  const Icon = state === 'on' ? Volume2 : muted ? VolumeOff : VolumeX;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={muted ? t('unmute') : state === 'click' ? t('enable') : t('mute')}
      onClick={() => (state === 'click' ? unlockSound() : muteSound(!muted))}
    >
      <Icon aria-hidden size={20} />
    </ActionIcon>
  );
}

/** The state in words and a test. */
export function SoundPanel() {
  const t = useTranslations('sound');
  const state = useSound();
  const colors = { on: 'green', click: 'yellow', muted: 'gray', unsupported: 'red' } as const;
  return (
    <Group>
      {state && <Badge color={colors[state]}>{t(state)}</Badge>}
      <Button
        variant="default"
        leftSection={<Volume2 aria-hidden size={18} />}
        disabled={state === 'unsupported'}
        onClick={() => {
          if (state === 'muted') muteSound(false);
          unlockSound();
          chime();
        }}
      >
        {t('test')}
      </Button>
      {(state === 'on' || state === 'muted') && (
        <Button variant="default" onClick={() => muteSound(state === 'on')}>
          {state === 'on' ? t('mute') : t('unmute')}
        </Button>
      )}
    </Group>
  );
}
