'use client';

import { Group, Loader, Stack, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { TextLink } from '#app/ui/text/links.tsx';

const [firstPauseMs, longestPauseMs] = [4000, 30_000];

/**
 * Looks for the decision, less often the longer it takes, and at once when the person returns to
 * the page. Without scripts a link loads the page again.
 */
export function WaitForDecision({ token }: { token: string }) {
  const t = useTranslations('join');
  const isReady = useMounted();
  useDecision(token);
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

function useDecision(token: string): void {
  const router = useRouter();
  useEffect(() => {
    let timer: number | undefined;
    let pauseMs = firstPauseMs;
    const look = async () => {
      clearTimeout(timer);
      if (document.hidden) return;
      const state = await findState(token);
      // The page itself knows what follows.
      if (state !== 'waiting' && state !== null) return router.refresh();
      pauseMs = Math.min(pauseMs * 1.2, longestPauseMs);
      timer = window.setTimeout(look, pauseMs);
    };
    const lookAgain = () => {
      pauseMs = firstPauseMs;
      void look();
    };
    timer = window.setTimeout(look, pauseMs);
    document.addEventListener('visibilitychange', lookAgain);
    addEventListener('online', lookAgain);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', lookAgain);
      removeEventListener('online', lookAgain);
    };
  }, [token, router]);
}

// Null while the service cannot be reached.
async function findState(token: string): Promise<string | null> {
  try {
    const response = await fetch(`/join/wait/${token}/state`, { cache: 'no-store' });
    if (!response.ok && response.status !== 404) return null;
    return ((await response.json()) as { state: string }).state;
  } catch {
    return null;
  }
}
