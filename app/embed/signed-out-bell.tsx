'use client';

import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useContext, useState } from 'react';
import { openBellAction } from '#app/embed/actions.ts';
import { BellWithPanel, PageContext } from '#app/embed/bell-frame.tsx';

/**
 * The bell of a person who is not signed in here: they sign in in a window of this origin. An owner
 * without an employee's account has no inbox.
 */
export function SignedOutBell({ hasNoInbox = false }: { hasNoInbox?: boolean }) {
  const t = useTranslations('embed');
  const page = useContext(PageContext);
  const [problem, setProblem] = useState<'blocked' | 'notListed'>();
  const receive = async ({ origin, data }: MessageEvent) => {
    if (origin !== location.origin || typeof data?.ticket !== 'string') return;
    const opened = await openBellAction({ ticket: data.ticket, origin: page.origin });
    const reads = await fetch('/portal/inbox?limit=1', { cache: 'no-store' });
    if (reads.ok) location.reload();
    else setProblem('problems' in opened && opened.problems.form === 'notListed' ? 'notListed' : 'blocked');
  };
  useWindowEvent('message', (event) => void receive(event).catch(() => setProblem('blocked')));
  const signIn = () => window.open('/embed/sign-in', 'staff-notifications', 'popup,width=440,height=680');
  return (
    <BellWithPanel
      count={0}
      label={hasNoInbox ? undefined : t('signedOutLabel')}
      panel={
        <Stack p="md" gap="sm">
          <Text>{t(hasNoInbox ? 'noInbox' : 'signedOut')}</Text>
          {!hasNoInbox && <Button onClick={signIn}>{t('signIn')}</Button>}
          {problem && (
            <Text size="sm" role="alert">
              {t(problem)}{' '}
              <Anchor href="/portal" target="_blank" rel="noopener">
                {t('openPortal')}
              </Anchor>
            </Text>
          )}
        </Stack>
      }
    />
  );
}
