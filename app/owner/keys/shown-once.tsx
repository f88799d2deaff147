'use client';

import { Alert, Button, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { LiveLine } from '#app/owner/keys/live-line.tsx';
import { rememberShown } from '#app/owner/keys/lost-key.tsx';
import { SnippetTabs } from '#app/owner/keys/snippet-tabs.tsx';
import { TestSend } from '#app/owner/keys/test-send.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';

/** A key that was just made, with its text. */
export type MadeKey = { id: number; key: string; name: string };

/** The sentences for what making a key can be refused for. */
export function useKeyProblems(): Record<string, string> {
  const t = useTranslations('keys');
  const mostActive = 50;
  return {
    nameTaken: t('nameTaken'),
    tooMany: t('tooMany', { limit: mostActive }),
    gone: t('gone'),
    alreadyReplaced: t('alreadyReplaced'),
  };
}

/** Shows a key, once, until it is said to be saved. A stray click does nothing, Escape asks, a reload warns. */
export function ShownOnce({ made, baseUrl, onSaved }: { made: MadeKey; baseUrl: string; onSaved: () => void }) {
  const t = useTranslations('keys');
  const [asking, setAsking] = useState(false);
  useReloadWarning(made.name);
  const save = () => {
    rememberShown(null);
    onSaved();
  };
  return (
    <Dialog
      onClose={() => setAsking(true)}
      title={<bdi>{t('shownTitle', { name: made.name })}</bdi>}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={!asking}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" role="note">
          {t('shownOnce')}
        </Alert>
        <div>
          <CopyField label={t('theKey')} value={made.key} copyLabel={t('copyKey')} focused />
          <VisuallyHidden>{t('spelled', { groups: made.key.match(/.{1,4}/g)?.join(' ') ?? '' })}</VisuallyHidden>
        </div>
        <LiveLine id={made.id} baseUrl={baseUrl} />
        <TestSend made={made} />
        <SnippetTabs apiKey={made.key} baseUrl={baseUrl} />
        <Text size="sm" c="dimmed">
          {t('lost')}
        </Text>
        <Button onClick={save}>{t('saved')}</Button>
      </Stack>
      {asking && <AskBeforeClosing onBack={() => setAsking(false)} onSaved={save} />}
    </Dialog>
  );
}

function AskBeforeClosing({ onBack, onSaved }: { onBack: () => void; onSaved: () => void }) {
  const t = useTranslations('keys');
  return (
    <Dialog onClose={onBack} title={t('closeTitle')} zIndex={300} withCloseButton={false}>
      <Stack>
        <Text>{t('closeText')}</Text>
        <Button variant="default" onClick={onBack} data-autofocus>
          {t('closeBack')}
        </Button>
        <Button onClick={onSaved}>{t('saved')}</Button>
      </Stack>
    </Dialog>
  );
}

function useReloadWarning(name: string): void {
  useEffect(() => {
    rememberShown(name);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [name]);
}
