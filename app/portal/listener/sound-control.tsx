'use client';

import { ActionIcon, Alert, Badge, Button, Chip, Group, Slider, Stack, Text } from '@mantine/core';
import { Moon, Volume2, VolumeOff, VolumeX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { changePreferencesAction } from '#app/portal/actions.ts';
import { browserFamily } from '#app/portal/listener/browser-family.ts';
import { usePortalState } from '#app/portal/listener/listener.tsx';
import { usePortal } from '#app/portal/listener/portal-context.tsx';
import { asClock, type Quiet } from '#app/portal/listener/quiet.ts';
import {
  chime,
  muteSound,
  type SoundState,
  setSoundVolume,
  soundState,
  soundVolume,
  unlockSound,
  watchSound,
} from '#app/portal/listener/sound.ts';
import { kinds } from '#server/notification-kind.ts';

/** The true state of the sound; undefined until the browser was asked. */
export function useSound(): SoundState | undefined {
  return useSyncExternalStore<SoundState | undefined>(watchSound, soundState, () => undefined);
}

/** Whether the person wants quiet now, asked again every half minute. */
export function useQuiet(): Quiet {
  const portal = usePortal();
  const { preferences } = usePortalState();
  const [quiet, setQuiet] = useState<Quiet>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: changed preferences change the answer
  useEffect(() => {
    const ask = () => setQuiet(portal.quietNow());
    ask();
    const timer = setInterval(ask, 30_000);
    return () => clearInterval(timer);
  }, [portal, preferences]);
  return quiet;
}

/** Mutes and unmutes, in the header of every page. */
export function MuteButton() {
  const t = useTranslations('sound');
  const state = useSound();
  const quiet = useQuiet();
  const quietText = quiet ? ` (${t('quietUntil', { time: asClock(quiet.untilMinute) })})` : '';
  const muted = state === 'muted';
  const locked = state === 'click' || state === 'blocked';
  const Icon = quiet ? Moon : state === 'on' || state === undefined ? Volume2 : muted ? VolumeOff : VolumeX;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`${muted ? t('unmute') : locked ? t('enable') : t('mute')}${quietText}`}
      onClick={() => (locked ? unlockSound() : muteSound(!muted))}
    >
      <Icon aria-hidden size={20} />
    </ActionIcon>
  );
}

const colors = { on: 'green', click: 'yellow', muted: 'gray', blocked: 'red', unsupported: 'red' } as const;

/** The state of the sound in words, with the moment at which quiet ends. */
export function SoundChip() {
  const t = useTranslations('sound');
  const state = useSound();
  return (
    <Group gap="xs" mih={26}>
      {state && (
        <Badge color={colors[state]} data-sound={state}>
          {t(state)}
        </Badge>
      )}
      <QuietBadge />
    </Group>
  );
}

/** Until when it is quiet, if it is. */
export function QuietBadge() {
  const t = useTranslations('sound');
  const quiet = useQuiet();
  if (!quiet) return null;
  return (
    <Badge color="gray" leftSection={<Moon aria-hidden size={14} />} variant="default">
      {t('quietUntil', { time: asClock(quiet.untilMinute) })}
    </Badge>
  );
}

/** Tries the sound out, loud enough to be heard even when it was muted. */
export function SoundTest() {
  const t = useTranslations('sound');
  const state = useSound();
  const test = () => {
    if (state === 'muted') muteSound(false);
    unlockSound();
    // A sound that is only now being unlocked comes on a moment later.
    if (!chime()) setTimeout(chime, 250);
  };
  return (
    <Button
      variant="default"
      leftSection={<Volume2 aria-hidden size={18} />}
      disabled={state === 'unsupported'}
      onClick={test}
    >
      {t('test')}
    </Button>
  );
}

/** State, test, volume and off switch. */
export function SoundPanel() {
  const t = useTranslations('sound');
  const state = useSound();
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
          onChangeEnd={() => void chime()}
        />
      </div>
    </Stack>
  );
}

/** How to let the sound through in this browser. */
export function SoundCure() {
  const t = useTranslations('sound');
  return (
    <Alert color="red" variant="light" icon={<VolumeX aria-hidden size={20} />} title={t('blockedByBrowser')}>
      {t(`cure.${browserFamily(navigator.userAgent)}`)}
    </Alert>
  );
}

/** Sound on or off for each kind; pop-ups and list are not touched by it. */
export function KindSounds() {
  const t = useTranslations();
  const portal = usePortal();
  const { mutedKinds } = usePortalState().preferences;
  const [failed, setFailed] = useState(false);
  const change = async (audible: string[]) => {
    const muted = kinds.filter((kind) => !audible.includes(kind));
    const before = portal.state.preferences;
    portal.setPreferences({ ...before, mutedKinds: muted });
    const result = await changePreferencesAction({ mutedKinds: muted }).catch(() => null);
    setFailed(!result || !('value' in result));
    portal.setPreferences(result && 'value' in result ? result.value : before);
  };
  return (
    <div>
      <Text size="sm" mb={6} id="kind-sounds">
        {t('sound.kinds')}
      </Text>
      <Chip.Group
        multiple
        value={kinds.filter((kind) => !mutedKinds.includes(kind))}
        onChange={(to) => void change(to)}
      >
        <Group gap="xs" role="group" aria-labelledby="kind-sounds" className="kind-sounds">
          {kinds.map((kind) => (
            <Chip key={kind} value={kind} size="md">
              {t(`inbox.kind.${kind}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {failed && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {t('form.failed')}
        </Text>
      )}
    </div>
  );
}
