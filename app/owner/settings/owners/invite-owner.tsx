'use client';

import { Button, Stack, Text } from '@mantine/core';
import { UserRoundPlus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { inviteOwnerAction } from '#app/owner/settings/owners/actions.ts';
import { Dialog, useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { Form, FormButtons, TextField } from '#app/ui/forms/form.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import type { InvitedRights } from '#server/accounts/owners/owner-links.ts';

const inviting = { owner: 'invite', manager: 'inviteManager' } as const;

type Props = { company: string; rights: InvitedRights };

/** The button that invites a new owner or manager: asks for the name, then shows the link once. */
export function InviteOwner({ company, rights }: Props) {
  const t = useTranslations('owners');
  const [opened, open, close] = useOpenDialog<true>();
  return (
    <>
      <Button variant="default" leftSection={<UserRoundPlus aria-hidden size={18} />} onClick={() => open(true)}>
        {t(inviting[rights])}
      </Button>
      {opened && <InviteDialog company={company} rights={rights} onClose={close} />}
    </>
  );
}

function InviteDialog({ company, rights, onClose }: Props & { onClose: () => void }) {
  const t = useTranslations('owners');
  const form = useTranslations('form');
  const kind = inviting[rights];
  const [link, setLink] = useState<string>();
  const [name, setName] = useState('');
  const show = (made: { link: string }) => setLink(made.link);
  const { run, pending, problems } = useAction(inviteOwnerAction, show, {
    'too-many': t('tooMany'),
  });
  const submit = (fields: Record<string, string>) => {
    const typed = fields.name?.trim() ?? '';
    setName(typed);
    void run({ name: typed, rights });
  };
  return (
    <Dialog onClose={onClose} title={t(kind)} size="lg" closeOnClickOutside={false}>
      {link ? (
        <Stack>
          <Text>{t('inviteText', { name })}</Text>
          <LinkToHandOver
            label={t('inviteLink')}
            link={link}
            message={t(`${kind}Message`, { name, link, company })}
            onClose={onClose}
          />
        </Stack>
      ) : (
        <Form problems={problems} onSubmit={submit}>
          <Text>{t(`${kind}Lead`)}</Text>
          <TextField name="name" label={t('name')} data-autofocus />
          <FormButtons submit={form('makeLink')} pending={pending} onCancel={onClose} />
        </Form>
      )}
    </Dialog>
  );
}
