'use client';

import { Group, Loader, Stack, Text } from '@mantine/core';
import { useInterval, useMounted } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { TextLink } from '#app/ui/text/links.tsx';

const pollIntervalMs = 10_000;

/** Looks for the decision every 10 s while the page is visible. Without scripts a link loads the page again. */
export function WaitForDecision({ token }: { token: string }) {
  const t = useTranslations('join');
  const router = useRouter();
  const isReady = useMounted();
  const look = async () => {
    const response = await fetch(`/join/wait/${token}/state`, { cache: 'no-store' }).catch(() => null);
    if (!response || (!response.ok && response.status !== 404)) return;
    const { state } = (await response.json()) as { state: string };
    // The page itself knows what follows.
    if (state !== 'waiting') router.refresh();
  };
  useInterval(() => void (document.hidden || look()), pollIntervalMs, { autoInvoke: true });
  return (
    <Stack gap="sm" mt="lg">
      {isReady && (
        <Group gap="sm" role="status">
          <Loader size={18} />
          <Text size="sm">{t('waiting')}</Text>
        </Group>
      )}
      <Text className="fine-print">{t('waitKeep')}</Text>
      <TextLink href={`/join/wait/${token}`}>{t('checkAgain')}</TextLink>
    </Stack>
  );
}
