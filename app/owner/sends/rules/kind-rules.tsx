'use client';

import { Checkbox, Group, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { setMustConfirmKindsAction } from '#app/owner/sends/actions.ts';
import { KindIcon } from '#app/portal/notification/item-parts.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import { type Kind, kinds } from '#server/notifications/kinds.ts';

export function KindRules({ chosen }: { chosen: Kind[] }) {
  const t = useTranslations();
  const save = (fields: Record<string, string>) =>
    setMustConfirmKindsAction({ kinds: kinds.filter((kind) => kind in fields) });
  return (
    <SavedForm action={save} saved={t('mustRead.saved')}>
      <Stack gap={0} component="fieldset" bd={0} p={0} m={0} aria-labelledby="kinds-title" className="tall">
        {kinds.map((kind) => (
          <Checkbox
            key={kind}
            name={kind}
            defaultChecked={chosen.includes(kind)}
            label={
              <Group component="span" gap={8} wrap="nowrap" mih={44}>
                <KindIcon kind={kind} size={18} />
                {t(`inbox.kind.${kind}`)}
              </Group>
            }
            styles={{ body: { alignItems: 'center' } }}
          />
        ))}
      </Stack>
    </SavedForm>
  );
}
