'use client';

import { Chip, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { changePreferencesAction } from '#app/portal/preferences/actions.ts';
import { kinds } from '#server/notifications/kinds.ts';

/** Switches the sound of each kind. Pop-ups and the list show muted kinds too. */
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
