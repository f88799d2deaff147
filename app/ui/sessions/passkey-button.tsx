import { Alert, Button } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useCallback, useEffect, useState } from 'react';
import { useAction } from '#app/ui/forms/use-action.ts';
import { findPasskeyOptionsAction, provePasskeyAction } from '#app/ui/sessions/session-actions.ts';

type Options = Extract<Awaited<ReturnType<typeof findPasskeyOptionsAction>>, { value: unknown }>['value'];

/** A button that re-authenticates with a passkey, shown when the account has one. */
export function PasskeyButton({ onProved }: { onProved: () => void }) {
  const t = useTranslations();
  const [options, setOptions] = useState<Options>(null);
  const [refused, setRefused] = useState(false);
  const { run, pending, problems } = useAction(provePasskeyAction, onProved, {
    'wrong-passkey': t('prove.notProved'),
    providerOnly: t('login.problem.provider-only'),
  });
  // Loaded before the press: some browsers ask for a passkey only directly after a press.
  const load = useCallback(async () => {
    const result = await findPasskeyOptionsAction(null).catch(() => null);
    setOptions(result && 'value' in result ? result.value : null);
  }, []);
  useEffect(() => void load(), [load]);
  if (!options) return null;
  const prove = async () => {
    setRefused(false);
    try {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      await run({ answer: JSON.stringify(await startAuthentication({ optionsJSON: options })) });
    } catch {
      setRefused(true);
    }
    await load();
  };
  const problem = refused ? t('prove.notProved') : problems.form;
  return (
    <>
      {problem && <Alert color="red">{problem}</Alert>}
      <Button leftSection={<KeyRound />} loading={pending} onClick={() => void prove()}>
        {t('prove.usePasskey')}
      </Button>
    </>
  );
}
