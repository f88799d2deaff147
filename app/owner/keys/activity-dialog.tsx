'use client';

import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { KeyActivity } from '#app/owner/keys/key-activity.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

/** The dialog with the live activity of a key. Does not show the key's text. */
export function ActivityDialog({
  apiKey,
  baseUrl,
  onClose,
}: {
  apiKey: KeyOverview;
  baseUrl: string;
  onClose: () => void;
}) {
  const t = useTranslations('keys');
  return (
    <Dialog onClose={onClose} title={<bdi>{t('watchTitle', { name: apiKey.name })}</bdi>}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('watchLead')}
        </Text>
        <KeyActivity id={apiKey.id} baseUrl={baseUrl} />
      </Stack>
    </Dialog>
  );
}
