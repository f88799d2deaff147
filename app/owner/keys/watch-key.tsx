'use client';

import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { LiveLine } from '#app/owner/keys/live-line.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

/** What a key is doing right now, without its text. */
export function WatchKey({ apiKey, baseUrl, onClose }: { apiKey: KeyOverview; baseUrl: string; onClose: () => void }) {
  const t = useTranslations('keys');
  return (
    <Dialog onClose={onClose} title={<bdi>{t('watchTitle', { name: apiKey.name })}</bdi>}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('watchLead')}
        </Text>
        <LiveLine id={apiKey.id} baseUrl={baseUrl} />
      </Stack>
    </Dialog>
  );
}
