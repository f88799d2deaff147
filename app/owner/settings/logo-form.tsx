'use client';

import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { ImageUp, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { use, useState } from 'react';
import { removeLogoAction } from '#app/owner/settings/actions.ts';
import type { Result } from '#app/ui/forms/fields.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { Company } from '#app/ui/frame/company.ts';
import { CompanyLogo } from '#app/ui/frame/company-logo.tsx';
import { shrinkLogo } from '#app/ui/pictures/shrink-picture.ts';

// The address is `logoPath` in server/companies/logo.ts.
async function sendLogo(file: File | null): Promise<Result<unknown>> {
  const png = file && (await shrinkLogo(file));
  if (!png) return { problems: { form: 'not-a-picture' } };
  const headers = { 'Content-Type': 'image/png' };
  const response = await fetch('/owner/settings/logo', { method: 'POST', headers, body: png });
  return (await response.json()) as Result<unknown>;
}

export function LogoForm() {
  const t = useTranslations('settings');
  const { company, logo } = use(Company);
  const router = useRouter();
  const [message, setMessage] = useState<'logoSaved' | 'logoRemoved'>();
  const sentences = { 'not-a-picture': t('logoProblem') };
  const done = (what: 'logoSaved' | 'logoRemoved') => () => {
    setMessage(what);
    router.refresh();
  };
  const upload = useAction(sendLogo, done('logoSaved'), sentences);
  const removal = useAction(removeLogoAction, done('logoRemoved'));
  const problem = upload.problems.form ?? removal.problems.form;
  const choose = (file: File | null) => {
    setMessage(undefined);
    removal.clear();
    if (file) void upload.run(file);
  };
  return (
    <Stack gap="xs" role="group" aria-labelledby="logo-title">
      <Text fw={500} size="sm" id="logo-title">
        {t('logo')}
      </Text>
      <Text className="fine-print">{t('logoHint')}</Text>
      <Group>
        {logo && <CompanyLogo logo={logo} size={44} name={t('logoOf', { company })} />}
        <FileButton onChange={choose} accept="image/png,image/jpeg,image/webp,image/svg+xml">
          {(props) => (
            <Button {...props} variant="default" leftSection={<ImageUp />} loading={upload.pending}>
              {t(logo ? 'logoReplace' : 'logoChoose')}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<Trash2 />}
            loading={removal.pending}
            onClick={() => {
              upload.clear();
              void removal.run(null);
            }}
          >
            {t('logoRemove')}
          </Button>
        )}
      </Group>
      <div role="status">
        {problem ? <Alert color="red">{problem}</Alert> : message && <Alert color="green">{t(message)}</Alert>}
      </div>
    </Stack>
  );
}
