'use client';

import '@mantine/core/styles/Tabs.css';
import { Alert, Anchor, Button, Stack, Tabs, Text, VisuallyHidden } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { Send } from 'lucide-react';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { findTestRecipientAction } from '#app/owner/keys/actions.ts';
import { KeyActivity } from '#app/owner/keys/activity/key-activity.tsx';
import { unsavedKey } from '#app/owner/keys/create/unsaved-key.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

export type ShownKey = { id: number; key: string; name: string };

/** Shows a new key once, until it is saved: a click outside does nothing, Escape asks, a reload warns. */
export function NewKeyDialog({ newKey, baseUrl, onSaved }: { newKey: ShownKey; baseUrl: string; onSaved: () => void }) {
  const t = useTranslations('keys');
  const [asking, setAsking] = useState(false);
  const goBack = () => setAsking(false);
  useEffect(() => {
    sessionStorage.setItem(unsavedKey, newKey.name);
  }, [newKey.name]);
  useWindowEvent('beforeunload', (event) => event.preventDefault());
  const save = () => {
    sessionStorage.removeItem(unsavedKey);
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
      <Text className="fine-print">{t('lost')}</Text>
      <Button onClick={save}>{t('saved')}</Button>
      {asking && (
        <Dialog onClose={goBack} title={t('closeTitle')} zIndex={300} withCloseButton={false}>
          <Text>{t('closeText')}</Text>
          <Button variant="default" onClick={goBack} data-autofocus>
            {t('closeBack')}
          </Button>
          <Button onClick={save}>{t('saved')}</Button>
        </Dialog>
      )}
    </Dialog>
  );
}

type TestOutcome = 'sent' | 'not-an-employee';

function TestSend({ apiKey, name }: { apiKey: string; name: string }) {
  const t = useTranslations('keys');
  const language = useLocale();
  const [outcome, setOutcome] = useState<TestOutcome>();
  const test = async (addMyself: boolean): Promise<Result<TestOutcome>> => {
    const recipient = await findTestRecipientAction(addMyself);
    if ('problems' in recipient) return recipient;
    const { employeeId } = recipient.value;
    if (employeeId === null) return { value: 'not-an-employee' };
    // Through the public interface, authenticated by the key only.
    const response = await fetch('/api/v1/notif.php', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json', 'Accept-Language': language },
      body: JSON.stringify({ judul: t('testTitle', { name }), isi: t('testBody'), user_id: employeeId }),
    });
    const { ok, error = String(response.status) } = (await response.json()) as { ok: boolean; error?: string };
    return ok ? { value: 'sent' } : { problems: { form: error } };
  };
  const { run, pending, problems } = useAction(test, setOutcome, { testInactive: t('testInactive') });
  return (
    <Stack gap="xs" align="flex-start" className="wrapping">
      {outcome !== 'not-an-employee' && (
        <Button variant="light" leftSection={<Send />} loading={pending} onClick={() => void run(false)}>
          {t('testSend')}
        </Button>
      )}
      <div role="status">
        {outcome === 'sent' && !problems.form && (
          <Text size="sm">
            {t.rich('testSentRich', {
              portal: (text) => (
                <Anchor href="/portal" target="_blank" inherit>
                  {text}
                </Anchor>
              ),
            })}
          </Text>
        )}
        {outcome === 'not-an-employee' && <Text size="sm">{t('testNobody')}</Text>}
      </div>
      {outcome === 'not-an-employee' && (
        <Button variant="light" loading={pending} onClick={() => void run(true)}>
          {t('testJoin')}
        </Button>
      )}
      {problems.form && <Alert color="red">{problems.form}</Alert>}
    </Stack>
  );
}

const programs = import.meta.glob<{ default: string }>('../../../docs/recipes/new-key/*', {
  query: '?raw',
  eager: true,
});

const snippets = [
  { language: 'curl', name: 'curl', file: 'curl.sh' },
  { language: 'php', name: 'PHP', file: 'php.php' },
  { language: 'python', name: 'Python', file: 'python.py' },
  { language: 'node', name: 'Node', file: 'node.mjs' },
  { language: 'n8n', name: 'n8n', file: 'n8n.json' },
] as const;

function SnippetTabs({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }) {
  const t = useTranslations('keys');
  const parts = { url: `${baseUrl}/api/v1/notif.php`, key: apiKey, title: t('curlTitle'), body: t('curlBody') };
  const write = (file: string) =>
    programs[`../../../docs/recipes/new-key/${file}`]?.default
      .replaceAll(/\{\{(url|key|title|body)\}\}/g, (_, part: keyof typeof parts) => parts[part])
      .trimEnd() ?? '';
  return (
    <div>
      <Text fw={600} mb={4}>
        {t('snippets')}
      </Text>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List>
          {snippets.map(({ language, name }) => (
            <Tabs.Tab key={language} value={language} px="sm" mih={44}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ language, name, file }) => (
          <Tabs.Panel key={language} value={language} pt="sm">
            <Text className="fine-print" mb="xs">
              {t(`snippetNote.${language}`)}{' '}
              <Anchor href={`/docs/recipes/${language}`} target="_blank" rel="noopener" inherit>
                {t('snippetRecipe', { language: name })}
              </Anchor>
            </Text>
            <CopyField label={t('snippetLabel', { language: name })} value={write(file)} copyLabel={t('copySnippet')} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}
