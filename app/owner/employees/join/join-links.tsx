'use client';

import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { QrCode } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { RoleField } from '#app/owner/employees/employee-form.tsx';
import { createJoinLinkAction } from '#app/owner/employees/join/actions.ts';
import { Poster } from '#app/owner/employees/paper/paper.tsx';
import { Dialog, useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { Form, FormButtons } from '#app/ui/forms/form.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import type { LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { PrintButton } from '#app/ui/text/print-button.tsx';
import { joinLinkDays, joinLinkSizes, maxJoinLinks } from '#server/employees/join-terms.ts';

type MakeProps = { company: string; logo: LogoPicture | null; roles: string[] };

/** The button that makes a join link: asks for its terms, then shows the link once, to send or as a poster. */
export function MakeLink(props: MakeProps) {
  const t = useTranslations('joins');
  const [opened, open, close] = useOpenDialog<true>();
  return (
    <>
      <Button leftSection={<QrCode aria-hidden size={18} />} onClick={() => open(true)}>
        {t('make')}
      </Button>
      {opened && <MakeDialog {...props} onClose={close} />}
    </>
  );
}

function MakeDialog({ company, logo, roles, onClose }: MakeProps & { onClose: () => void }) {
  const t = useTranslations('joins');
  const [made, setMade] = useState<{ link: string }>();
  const { run, pending, problems } = useAction(createJoinLinkAction, setMade, {
    tooManyLinks: t('tooMany', { most: maxJoinLinks }),
  });
  const submit = ({ role = '', ...fields }: Record<string, string>) => {
    const days = joinLinkDays.find((one) => String(one) === fields.days) ?? 7;
    const maxRequests = joinLinkSizes.find((one) => String(one) === fields.size) ?? 50;
    void run({ role: role.trim() || null, days, maxRequests });
  };
  return (
    <Dialog onClose={onClose} title={t(made ? 'madeTitle' : 'makeTitle')} size="lg" closeOnClickOutside={false}>
      {made ? (
        <Stack>
          <Text>{t('madeText')}</Text>
          <PrintButton text={t('poster')} />
          <Poster company={company} logo={logo} link={made.link} />
          <LinkToHandOver
            label={t('link')}
            link={made.link}
            message={t('message', { company, link: made.link })}
            qrLabel={t('qr', { company })}
            onClose={onClose}
          />
        </Stack>
      ) : (
        <Form problems={problems} onSubmit={submit}>
          <RoleField roles={roles} label={t('role')} description={t('roleHint')} data-autofocus />
          <Group grow align="flex-end">
            <NativeSelect
              name="days"
              label={t('days')}
              defaultValue={7}
              data={joinLinkDays.map((days) => ({ value: String(days), label: t('daysChoice', { days }) }))}
            />
            <NativeSelect
              name="size"
              label={t('size')}
              defaultValue={50}
              data={joinLinkSizes.map((count) => ({ value: String(count), label: t('sizeChoice', { count }) }))}
            />
          </Group>
          <FormButtons submit={t('make')} pending={pending} onCancel={onClose} />
        </Form>
      )}
    </Dialog>
  );
}
