'use client';

import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { Moon, Volume2, VolumeX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { browserFamily } from '#app/portal/device/browser.ts';
import { ConnectionState } from '#app/portal/live/controls/status-bar.tsx';
import { asClock } from '#app/portal/live/quiet/quiet.ts';
import { chime, muteSound, setSoundVolume, unlockSound } from '#app/portal/live/sound/sound.ts';
import {
  usePortal,
  usePortalState,
  useQuiet,
  useSound,
  useSoundVolume,
} from '#app/portal/live/store/portal-context.tsx';
import { silenceAction } from '#app/portal/notification/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { PageLink } from '#app/ui/text/links.tsx';
import { serviceNow } from '#app/ui/text/times.ts';
import type { SoundState } from '#server/employees/portal-visits.ts';

/** What the speaker in the header opens: the state of connection and sound, and what changes it. */
export function SoundMenu({ onFollow }: { onFollow: () => void }) {
  const t = useTranslations('bell');
  const link = (href: string, text: string) => (
    <Anchor className="pop-up-link" component={PageLink} href={href} size="sm" onClick={onFollow}>
      {text}
    </Anchor>
  );
  return (
    <Stack gap="sm">
      <ConnectionState />
      <SoundPanel />
      <SilenceButton />
      <Group gap="md">
        {link('/portal/settings', t('moreSettings'))}
        {link('/portal/help', t('help'))}
      </Group>
    </Stack>
  );
}

export function SoundPanel() {
  const t = useTranslations('sound');
  const state = useSound();
  const { sound } = usePortalState().preferences;
  const volume = useSoundVolume();
  const starting = useRef(false);
  // Unmutes first. After 5 s without a sound the state is `blocked`.
  const test = async () => {
    if (state === 'muted') muteSound(false);
    if (starting.current) return;
    starting.current = true;
    if (await unlockSound()) chime(sound);
    starting.current = false;
  };
  return (
    <Stack gap="sm">
      <SoundChip />
      {state === 'blocked' && (
        <Alert color="red" variant="light" icon={<VolumeX size={20} />} title={t('blockedByBrowser')}>
          {t(`cure.${browserFamily(navigator.userAgent)}`)}
        </Alert>
      )}
      <Group gap="xs" grow preventGrowOverflow={false}>
        <Button
          variant="default"
          leftSection={<Volume2 />}
          disabled={state === 'unsupported'}
          onClick={() => void test()}
        >
          {t('test')}
        </Button>
        {(state === 'on' || state === 'muted') && (
          <Button variant="default" onClick={() => muteSound(state === 'on')}>
            {state === 'on' ? t('mute') : t('unmute')}
          </Button>
        )}
      </Group>
      <Text size="sm" role="status">
        {state === 'muted' && t('mutedText')}
      </Text>
      <Text component="label" size="sm" className="volume">
        {t('volume')}
        <input
          type="range"
          step={10}
          value={volume}
          onChange={({ currentTarget }) => setSoundVolume(Number(currentTarget.value))}
          onPointerUp={() => chime(sound)}
          onKeyUp={() => chime(sound)}
        />
      </Text>
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
      // Not `loading`: that disables the button, which loses the focus, and Escape no longer closes the menu.
      aria-busy={pending}
      leftSection={<Moon />}
      onClick={() => void run({ minutes: silent ? 0 : 60 })}
    >
      {silent ? t('endSilence') : t('silence')}
    </Button>
  );
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
