'use client';

import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { createKeyAction } from '#app/owner/keys/actions.ts';
import { CopyField } from '#app/ui/copy-field.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FormButtons } from '#app/ui/form-buttons.tsx';
import { readForm, useAction } from '#app/ui/use-action.ts';

type Made = { key: string; name: string };

/** Asks for a name, then shows the key once; that dialog closes only by its own button. */
export function CreateKey({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations('keys');
  const router = useRouter();
  const [opened, { open, close }] = useDisclosure();
  const [made, setMade] = useState<Made>();
  const finish = () => {
    close();
    setMade(undefined);
    router.refresh();
  };
  return (
    <>
      <Button leftSection={<Plus aria-hidden size={18} />} onClick={open}>
        {t('create')}
      </Button>
      {opened && (
        <Dialog
          onClose={close}
          title={made ? <bdi>{t('shownTitle', { name: made.name })}</bdi> : t('create')}
          size="lg"
          closeOnClickOutside={!made}
          closeOnEscape={!made}
          withCloseButton={!made}
        >
          {made ? (
            <ShownOnce made={made} baseUrl={baseUrl} onSaved={finish} />
          ) : (
            <NameForm onMade={setMade} onCancel={close} />
          )}
        </Dialog>
      )}
    </>
  );
}

function NameForm({ onMade, onCancel }: { onMade: (made: Made) => void; onCancel: () => void }) {
  const t = useTranslations('keys');
  const { run, pending, problems } = useAction(createKeyAction, onMade, { nameTaken: t('nameTaken') });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run({ name: readForm(event.currentTarget).name ?? '' });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {problems.form && <Alert color="red">{problems.form}</Alert>}
        <TextInput
          name="name"
          label={t('name')}
          placeholder={t('nameHint')}
          error={problems.name}
          maxLength={120}
          autoComplete="off"
          data-autofocus
          required
        />
        <FormButtons submit={t('create')} pending={pending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

function ShownOnce({ made, baseUrl, onSaved }: { made: Made; baseUrl: string; onSaved: () => void }) {
  const t = useTranslations('keys');
  const body = JSON.stringify({ judul: t('curlTitle'), isi: t('curlBody') });
  const curl = `curl -X POST ${baseUrl}/api/v1/notif.php \\\n  -H 'X-API-Key: ${made.key}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
  return (
    <Stack>
      <Alert color="yellow">{t('shownOnce')}</Alert>
      <div>
        <CopyField label={t('theKey')} value={made.key} copyLabel={t('copyKey')} focused />
      </div>
      <div>
        <CopyField label={t('curl')} value={curl} copyLabel={t('copyCurl')} />
      </div>
      <Text size="sm" c="dimmed">
        {t('lost')}
      </Text>
      <Button onClick={onSaved}>{t('saved')}</Button>
    </Stack>
  );
}
