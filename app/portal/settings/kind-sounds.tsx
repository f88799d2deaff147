'use client';

import { Chip, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { usePreferenceChange } from '#app/portal/settings/use-preference-change.ts';
import { kinds } from '#server/notifications/kinds.ts';

/** Switches the sound of each kind. Pop-ups and the list show muted kinds too. */
export function KindSounds() {
  const t = useTranslations();
  const { mutedKinds } = usePortalState().preferences;
  const { change, failed } = usePreferenceChange();
  return (
    <div>
      <Text size="sm" mb={6} id="kind-sounds">
        {t('sound.kinds')}
      </Text>
      <Chip.Group
        multiple
        value={kinds.filter((kind) => !mutedKinds.includes(kind))}
        onChange={(audible) => void change({ mutedKinds: kinds.filter((kind) => !audible.includes(kind)) })}
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
