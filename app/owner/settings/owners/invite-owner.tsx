'use client';

import { Text } from '@mantine/core';
import { UserRoundPlus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { use } from 'react';
import { inviteOwnerAction } from '#app/owner/settings/actions.ts';
import { TextField } from '#app/ui/forms/form.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { Company } from '#app/ui/frame/company.ts';
import { DialogButton, FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import type { Manager } from '#server/principals.ts';

const inviting = { owner: 'invite', manager: 'inviteManager' } as const;

/** The button that invites a new owner or manager: asks for the name, then shows the link once. */
export function InviteOwner({ rights }: { rights: Manager['kind'] }) {
  const t = useTranslations('owners');
  const form = useTranslations('form');
  const { company } = use(Company);
  const kind = inviting[rights];
  return (
    <DialogButton variant="default" icon={UserRoundPlus} text={t(kind)}>
      {(onClose) => (
        <FormDialog
          title={t(kind)}
          submit={form('makeLink')}
          action={({ name = '' }) => inviteOwnerAction({ name, rights })}
          sentences={{ 'too-many': t('tooMany') }}
          onClose={onClose}
          result={({ name, link }) => (
            <>
              <Text>{t('inviteText', { name })}</Text>
              <LinkToHandOver
                label={t('inviteLink')}
                link={link}
                message={t(`${kind}Message`, { name, link, company })}
                onClose={onClose}
              />
            </>
          )}
        >
          <Text>{t(`${kind}Lead`)}</Text>
          <TextField name="name" label={t('name')} data-autofocus />
        </FormDialog>
      )}
    </DialogButton>
  );
}
