'use client';

import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { addMyselfForTestAction, findTestRecipientAction } from '#app/owner/keys/actions.ts';
import type { Result } from '#app/ui/forms/fields.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

type TestOutcome = 'sent' | 'not-an-employee';

/** Sends a test notification to the owner with a new key, as a script would. */
export function TestSend({ apiKey, name }: { apiKey: string; name: string }) {
  const t = useTranslations('keys');
  const language = useLocale();
  const [outcome, setOutcome] = useState<TestOutcome>();
  const test = async (addMyself: boolean): Promise<Result<TestOutcome>> => {
    const found = await (addMyself ? addMyselfForTestAction(null) : findTestRecipientAction(null));
    if ('problems' in found) return found;
    const { employeeId } = found.value;
    if (employeeId === null) return { value: 'not-an-employee' };
    const texts = { judul: t('testTitle', { name }), isi: t('testBody') };
    const problem = await send(apiKey, { ...texts, user_id: employeeId }, language);
    return problem === null ? { value: 'sent' } : { problems: { form: problem } };
  };
  const { run, pending, problems } = useAction(test, setOutcome, { testInactive: t('testInactive') });
  return (
    <Stack gap="xs" align="flex-start" className="wrapping">
      {outcome !== 'not-an-employee' && (
        <Button
          variant="light"
          leftSection={<Send aria-hidden size={18} />}
          loading={pending}
          onClick={() => void run(false)}
        >
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

// Sends through the public interface, authenticated by the key only. Returns the error message or
// null.
async function send(key: string, fields: Record<string, unknown>, language: string): Promise<string | null> {
  const response = await fetch('/api/v1/notif.php', {
    method: 'POST',
    credentials: 'omit',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Accept-Language': language },
    body: JSON.stringify(fields),
  });
  const answer = (await response.json()) as { ok: boolean; error?: string };
  return answer.ok ? null : (answer.error ?? String(response.status));
}
