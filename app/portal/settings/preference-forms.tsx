'use client';

import '#app/ui/forms/controls.css';
import { Alert, Button, Chip, Group, Input, Stack, Switch } from '@mantine/core';
import { Play } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { chime, unlockSound } from '#app/portal/live/sound/sound.ts';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { changePreferencesAction } from '#app/portal/notification/actions.ts';
import { kinds, type Sound, sounds } from '#server/notifications/kinds.ts';

// The label names a group of chips.
const choiceField = (id: string) =>
  ({ labelElement: 'div', labelProps: { id, mb: 6 }, errorProps: { role: 'alert' } }) as const;

export function SoundChoice() {
  const t = useTranslations();
  const { sound } = usePortalState().preferences;
  const { change, failed } = usePreferenceChange();
  const play = async (name: Sound, long: boolean) => {
    if (await unlockSound()) chime(name, long);
  };
  return (
    <Input.Wrapper {...choiceField('sound-choice')} label={t('sound.choice')} error={failed && t('form.failed')}>
      <Chip.Group
        value={sound}
        onChange={(chosen) => {
          void play(chosen as Sound, false);
          void change({ sound: chosen as Sound });
        }}
      >
        <Group gap="xs" role="radiogroup" aria-labelledby="sound-choice">
          {sounds.map((name) => (
            <Chip key={name} value={name}>
              {t(`sound.names.${name}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Button variant="subtle" px="xs" mt={6} leftSection={<Play />} onClick={() => void play(sound, true)}>
        {t('sound.long')}
      </Button>
    </Input.Wrapper>
  );
}

export function KindSounds() {
  const t = useTranslations();
  const { mutedKinds } = usePortalState().preferences;
  const { change, failed } = usePreferenceChange();
  return (
    <Input.Wrapper {...choiceField('kind-sounds')} label={t('sound.kinds')} error={failed && t('form.failed')}>
      <Chip.Group
        multiple
        value={kinds.filter((kind) => !mutedKinds.includes(kind))}
        onChange={(audible) => void change({ mutedKinds: kinds.filter((kind) => !audible.includes(kind)) })}
      >
        <Group gap="xs" role="group" aria-labelledby="kind-sounds">
          {kinds.map((kind) => (
            <Chip key={kind} value={kind}>
              {t(`inbox.kind.${kind}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}

const choices = ['keepPopUps', 'hidePrivate', 'unreadFirst'] as const;

/** Each choice is saved at once for all browsers of the employee. */
export function PopUpSettings() {
  const t = useTranslations('popUps');
  const form = useTranslations('form');
  const { preferences } = usePortalState();
  const { change, failed } = usePreferenceChange();
  return (
    <Stack>
      {failed && <Alert color="red">{form('failed')}</Alert>}
      {choices.map((choice) => (
        <Switch
          key={choice}
          label={t(choice)}
          description={t(`${choice}Hint`)}
          checked={preferences[choice]}
          onChange={(event) => void change({ [choice]: event.currentTarget.checked })}
        />
      ))}
    </Stack>
  );
}

type PreferenceChanges = Parameters<typeof changePreferencesAction>[0];

/** Returns a function that changes preferences: they apply at once, and are undone if it fails. */
function usePreferenceChange() {
  const portal = usePortal();
  const [failed, setFailed] = useState(false);
  const change = async (changes: PreferenceChanges) => {
    const before = portal.state.preferences;
    portal.setPreferences({ ...before, ...changes });
    const result = await changePreferencesAction(changes).catch(() => null);
    const stored = result !== null && 'value' in result;
    portal.setPreferences(stored ? result.value : before);
    setFailed(!stored);
  };
  return { change, failed };
}
