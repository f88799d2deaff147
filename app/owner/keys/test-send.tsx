'use client';

import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { findTestRecipientAction, joinForTestAction } from '#app/owner/keys/actions.ts';
import type { MadeKey } from '#app/owner/keys/shown-once.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

type Outcome = 'sent' | 'nobody';

/** Sends a notification with the key at hand to the owner themself, as any script would. */
export function TestSend({ made }: { made: MadeKey }) {
  const t = useTranslations('keys');
  const language = useLocale();
  const [outcome, setOutcome] = useState<Outcome>();
  const test = async (join: boolean): Promise<Result<Outcome>> => {
    const found = await (join ? joinForTestAction(null) : findTestRecipientAction(null));
    if ('problems' in found) return found;
    const { employeeId } = found.value;
    if (employeeId === null) return { value: 'nobody' };
    const texts = { judul: t('testTitle', { name: made.name }), isi: t('testBody') };
    const problem = await send(made.key, { ...texts, user_id: employeeId }, language);
    return problem === null ? { value: 'sent' } : { problems: { form: problem } };
  };
  const { run, pending, problems } = useAction(test, setOutcome, { testInactive: t('testInactive') });
  return (
    <Stack gap="xs" align="flex-start" className="wrapping">
      {outcome !== 'nobody' && (
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
        {outcome === 'nobody' && <Text size="sm">{t('testNobody')}</Text>}
      </div>
      {outcome === 'nobody' && (
        <Button variant="light" loading={pending} onClick={() => void run(true)}>
          {t('testJoin')}
        </Button>
      )}
      {problems.form && <Alert color="red">{problems.form}</Alert>}
    </Stack>
  );
}

/** Sends over the public interface, with nothing but the key; the sentence of a refusal, or null when it was sent. */
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
