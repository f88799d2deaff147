'use client';

import { Button, Chip, Group, Text } from '@mantine/core';
import { Play } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { chime, unlockSound } from '#app/portal/live/sound/sound.ts';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { usePreferenceChange } from '#app/portal/settings/use-preference-change.ts';
import { type Sound, sounds } from '#server/notifications/sounds.ts';

/** The choice of the sound for all browsers of the employee. A choice is played at once. */
export function SoundChoice() {
  const t = useTranslations();
  const { sound } = usePortalState().preferences;
  const { change, failed } = usePreferenceChange();
  const play = async (one: Sound, long: boolean) => {
    if (await unlockSound()) chime(one, long);
  };
  return (
    <div>
      <Text size="sm" mb={6} id="sound-choice">
        {t('sound.choice')}
      </Text>
      <Chip.Group
        value={sound}
        onChange={(chosen) => {
          void play(chosen as Sound, false);
          void change({ sound: chosen as Sound });
        }}
      >
        <Group gap="xs" role="radiogroup" aria-labelledby="sound-choice" className="kind-sounds">
          {sounds.map((one) => (
            <Chip key={one} value={one} size="md">
              {t(`sound.names.${one}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Button
        variant="subtle"
        px="xs"
        mt={6}
        leftSection={<Play aria-hidden size={18} />}
        onClick={() => void play(sound, true)}
      >
        {t('sound.long')}
      </Button>
      {failed && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {t('form.failed')}
        </Text>
      )}
    </div>
  );
}
