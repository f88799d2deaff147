'use client';

import { Alert, Button, Group, Slider, Stack, Text } from '@mantine/core';
import { VolumeX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useSyncExternalStore } from 'react';
import { SoundChip, SoundTest, useSound } from '#app/portal/live/controls/sound-control.tsx';
import { browserFamily } from '#app/portal/live/sound/browser-family.ts';
import { chime, muteSound, setSoundVolume, soundVolume, watchSound } from '#app/portal/live/sound/sound.ts';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';

/** The state of the sound with test, mute button and volume. */
export function SoundPanel() {
  const t = useTranslations('sound');
  const state = useSound();
  const { sound } = usePortalState().preferences;
  const volume = useSyncExternalStore(watchSound, soundVolume, () => 80);
  return (
    <Stack gap="sm">
      <SoundChip />
      {state === 'blocked' && <SoundCure />}
      <Group gap="xs">
        <SoundTest />
        {(state === 'on' || state === 'muted') && (
          <Button variant="default" onClick={() => muteSound(state === 'on')}>
            {state === 'on' ? t('mute') : t('unmute')}
          </Button>
        )}
      </Group>
      <div>
        <Text size="sm" id="volume">
          {t('volume')}
        </Text>
        <Slider
          aria-labelledby="volume"
          thumbProps={{ 'aria-labelledby': 'volume' }}
          className="volume"
          thumbSize={44}
          classNames={{ thumb: 'volume-thumb' }}
          label={(value) => `${value} %`}
          min={0}
          max={100}
          step={10}
          value={volume}
          onChange={setSoundVolume}
          onChangeEnd={() => void chime(sound)}
        />
      </div>
    </Stack>
  );
}

/** Explains how this browser is made to allow sound. */
export function SoundCure() {
  const t = useTranslations('sound');
  return (
    <Alert color="red" variant="light" icon={<VolumeX aria-hidden size={20} />} title={t('blockedByBrowser')}>
      {t(`cure.${browserFamily(navigator.userAgent)}`)}
    </Alert>
  );
}
