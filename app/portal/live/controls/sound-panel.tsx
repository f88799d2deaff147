'use client';

import '@mantine/core/styles/Slider.css';
import { Alert, Anchor, Button, Group, Slider, Stack, Text } from '@mantine/core';
import { Moon, VolumeX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useSyncExternalStore } from 'react';
import { browserFamily } from '#app/portal/device/browser.ts';
import { SoundChip, SoundTest } from '#app/portal/live/controls/sound-control.tsx';
import { ConnectionState } from '#app/portal/live/controls/status-bar.tsx';
import { useSound } from '#app/portal/live/controls/use-sound.ts';
import { chime, muteSound, setSoundVolume, soundVolume, watchSound } from '#app/portal/live/sound/sound.ts';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { silenceAction } from '#app/portal/notification/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { PageLink } from '#app/ui/text/links.tsx';
import { serviceNow } from '#app/ui/text/times.ts';

/** What the speaker in the header opens: the state of connection and sound, and what changes it. */
export function SoundMenu({ onFollow }: { onFollow: () => void }) {
  const t = useTranslations('bell');
  return (
    <Stack gap="sm">
      <ConnectionState />
      <SoundPanel />
      <SilenceButton />
      <Group gap="md">
        <Anchor className="pop-up-link" component={PageLink} href="/portal/settings" size="sm" onClick={onFollow}>
          {t('moreSettings')}
        </Anchor>
        <Anchor className="pop-up-link" component={PageLink} href="/portal/help" size="sm" onClick={onFollow}>
          {t('help')}
        </Anchor>
      </Group>
    </Stack>
  );
}

export function SoundPanel() {
  const t = useTranslations('sound');
  const state = useSound();
  const { sound } = usePortalState().preferences;
  const volume = useSyncExternalStore(watchSound, soundVolume, () => 80);
  return (
    <Stack gap="sm">
      <SoundChip />
      {state === 'blocked' && (
        <Alert color="red" variant="light" icon={<VolumeX size={20} />} title={t('blockedByBrowser')}>
          {t(`cure.${browserFamily(navigator.userAgent)}`)}
        </Alert>
      )}
      <Group gap="xs" grow preventGrowOverflow={false}>
        <SoundTest />
        {(state === 'on' || state === 'muted') && (
          <Button variant="default" onClick={() => muteSound(state === 'on')}>
            {state === 'on' ? t('mute') : t('unmute')}
          </Button>
        )}
      </Group>
      <Text size="sm" role="status">
        {state === 'muted' && t('mutedText')}
      </Text>
      <div>
        <Text size="sm" id="volume">
          {t('volume')}
        </Text>
        <Slider
          aria-labelledby="volume"
          thumbProps={{ 'aria-labelledby': 'volume' }}
          className="volume"
          py="1.375rem"
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

/** Silences sound and pop-ups for an hour. Pressed again, it ends the silence. */
export function SilenceButton() {
  const t = useTranslations('quiet');
  const portal = usePortal();
  const { silentUntil } = usePortalState().preferences;
  const { run, pending } = useAction(silenceAction, (preferences) => portal.setPreferences(preferences));
  const silent = silentUntil !== null && silentUntil > serviceNow();
  return (
    <Button
      variant="default"
      // Not `loading`: that disables the button, which loses the focus, and Escape no longer closes
      // the menu.
      aria-busy={pending}
      leftSection={<Moon />}
      onClick={() => void run({ minutes: silent ? 0 : 60 })}
    >
      {silent ? t('endSilence') : t('silence')}
    </Button>
  );
}
