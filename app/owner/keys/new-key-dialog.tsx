'use client';

import { Alert, Button, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { KeyActivity } from '#app/owner/keys/key-activity.tsx';
import { SnippetTabs } from '#app/owner/keys/snippet-tabs.tsx';
import { TestSend } from '#app/owner/keys/test-send.tsx';
import { storeUnsavedKeyName } from '#app/owner/keys/unsaved-key.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';

/** A new key with its secret text. */
export type ShownKey = { id: number; key: string; name: string };

/**
 * Shows the text of a new key, which is never shown again, until the owner confirms that it is
 * saved. A click outside does nothing, Escape asks first, a reload warns.
 */
export function NewKeyDialog({ newKey, baseUrl, onSaved }: { newKey: ShownKey; baseUrl: string; onSaved: () => void }) {
  const t = useTranslations('keys');
  const [asking, setAsking] = useState(false);
  useReloadWarning(newKey.name);
  const save = () => {
    storeUnsavedKeyName(null);
    onSaved();
  };
  return (
    <Dialog
      onClose={() => setAsking(true)}
      title={<bdi>{t('shownTitle', { name: newKey.name })}</bdi>}
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
          <CopyField label={t('theKey')} value={newKey.key} copyLabel={t('copyKey')} focused />
          <VisuallyHidden>{t('spelled', { groups: newKey.key.match(/.{1,4}/g)?.join(' ') ?? '' })}</VisuallyHidden>
        </div>
        <KeyActivity id={newKey.id} baseUrl={baseUrl} />
        <TestSend apiKey={newKey.key} name={newKey.name} />
        <SnippetTabs apiKey={newKey.key} baseUrl={baseUrl} />
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
    storeUnsavedKeyName(name);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [name]);
}
