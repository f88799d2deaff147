'use client';

import '#app/ui/forms/controls.css';
import { Alert, Chip, type ChipGroupProps, Group, Input, Stack, Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { QuietBadge, SilenceButton } from '#app/portal/live/controls/sound-panel.tsx';
import { asClock, asMinute } from '#app/portal/live/quiet/quiet.ts';
import { chime, unlockSound } from '#app/portal/live/sound/sound.ts';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { changePreferencesAction } from '#app/portal/notification/actions.ts';
import { TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ZoneField } from '#app/ui/forms/zone-field.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import { kinds, type Sound, sounds } from '#server/notifications/kinds.ts';

type ChipsProps = { id: string; label: string; failed: boolean; names: [string, string][] };

// Chips of which one or several (`multiple`) are chosen. The label names their group.
function Chips<Multiple extends boolean = false>(props: ChipsProps & ChipGroupProps<Multiple>) {
  const { id, label, failed, names, ...group } = props;
  const t = useTranslations('form');
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id, mb: 6 }}
      error={failed && t('failed')}
      errorProps={{ role: 'alert' }}
    >
      <Chip.Group {...group}>
        <Group gap="xs" role={group.multiple ? 'group' : 'radiogroup'} aria-labelledby={id}>
          {names.map(([value, name]) => (
            <Chip key={value} value={value}>
              {name}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}

export function SoundChoice() {
  const t = useTranslations('sound');
  const { sound } = usePortalState().preferences;
  const { change, failed } = usePreferenceChange();
  const choose = (chosen: string) => {
    void unlockSound().then((isOn) => isOn && chime(chosen as Sound));
    void change({ sound: chosen as Sound });
  };
  const names = sounds.map((name): [string, string] => [name, t(`names.${name}`)]);
  return <Chips id="sound-choice" label={t('choice')} failed={failed} names={names} value={sound} onChange={choose} />;
}

export function KindSounds() {
  const t = useTranslations();
  const { mutedKinds } = usePortalState().preferences;
  const { change, failed } = usePreferenceChange();
  return (
    <Chips
      multiple
      id="kind-sounds"
      label={t('sound.kinds')}
      failed={failed}
      names={kinds.map((kind) => [kind, t(`inbox.kind.${kind}`)])}
      value={kinds.filter((kind) => !mutedKinds.includes(kind))}
      onChange={(audible) => void change({ mutedKinds: kinds.filter((kind) => !audible.includes(kind)) })}
    />
  );
}

const choices = ['keepPopUps', 'hidePrivate', 'unreadFirst'] as const;

/** Each choice is saved at once for all browsers of the employee. */
export function PopUpSettings() {
  const t = useTranslations();
  const { preferences } = usePortalState();
  const { change, failed } = usePreferenceChange();
  return (
    <Stack>
      {failed && <Alert color="red">{t('form.failed')}</Alert>}
      {choices.map((choice) => (
        <Switch
          key={choice}
          label={t(`popUps.${choice}`)}
          description={t(`popUps.${choice}Hint`)}
          checked={preferences[choice]}
          onChange={(event) => void change({ [choice]: event.currentTarget.checked })}
        />
      ))}
    </Stack>
  );
}

/** Returns a function that changes preferences: they apply at once, and are undone if it fails. */
function usePreferenceChange() {
  const portal = usePortal();
  const [failed, setFailed] = useState(false);
  const change = async (changes: Parameters<typeof changePreferencesAction>[0]) => {
    const before = portal.state.preferences;
    portal.setPreferences({ ...before, ...changes });
    const result = await changePreferencesAction(changes).catch(() => null);
    const stored = result !== null && 'value' in result;
    portal.setPreferences(stored ? result.value : before);
    setFailed(!stored);
  };
  return { change, failed };
}

const evening = 20 * 60;
const morning = 6 * 60;
const asInput = (minute: number) => asClock(minute).replace('.', ':');

export function QuietHours({ companyZone, zones }: { companyZone: string; zones: string[] }) {
  const t = useTranslations('quiet');
  const portal = usePortal();
  const { quietFrom, quietUntil, quietTimeZone } = usePortalState().preferences;
  const [on, setOn] = useState(quietFrom !== null);
  const { run, problems } = useAction(changePreferencesAction, (preferences) => portal.setPreferences(preferences));
  const toggle = (isOn: boolean) => {
    setOn(isOn);
    void run(isOn ? { quietFrom: evening, quietUntil: morning } : { quietFrom: null, quietUntil: null });
  };
  const save = async ({ quietFrom: from = '', quietUntil: until = '', zone = '' }: Record<string, string>) => {
    const quietTimeZone = zone === companyZone ? null : zone;
    const hours = { quietFrom: asMinute(from), quietUntil: asMinute(until), quietTimeZone };
    const result = await changePreferencesAction(hours);
    if ('value' in result) portal.setPreferences(result.value);
    return result;
  };
  return (
    <Stack gap="sm">
      <Group>
        <SilenceButton />
        <QuietBadge />
      </Group>
      <Switch label={t('hours')} checked={on} onChange={(event) => toggle(event.currentTarget.checked)} />
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      {on && (
        <SavedForm action={save} saved={t('saved')}>
          <Group grow align="flex-start">
            <TextField type="time" name="quietFrom" label={t('from')} defaultValue={asInput(quietFrom ?? evening)} />
            <TextField type="time" name="quietUntil" label={t('to')} defaultValue={asInput(quietUntil ?? morning)} />
          </Group>
          <ZoneField name="zone" label={t('zone')} zones={zones} defaultValue={quietTimeZone ?? companyZone} />
        </SavedForm>
      )}
    </Stack>
  );
}
