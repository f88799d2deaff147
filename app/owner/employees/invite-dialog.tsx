'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Share2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { inviteAction } from '#app/owner/employees/actions.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

/** Makes a link and shows it once, to copy or to share; asks first where that ends an earlier link or replaces a password. */
export function InviteDialog({
  employee: { id, name, username, invitedUntil },
  company,
  onClose,
}: {
  employee: Pick<EmployeeSummary, 'id' | 'name' | 'username' | 'invitedUntil'>;
  company: string;
  onClose: () => void;
}) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const [link, setLink] = useState<string>();
  const { run, pending, problems, dialog } = useProvedAction(inviteAction, ({ link }) => setLink(link), {
    inviteFailed: t('inviteFailed'),
  });
  const asksFirst = username !== null || invitedUntil !== null;
  return (
    <>
      <Dialog
        onClose={onClose}
        title={<bdi>{t(username ? 'resetTitle' : 'inviteTitle', { name })}</bdi>}
        size="lg"
        closeOnClickOutside={false}
      >
        <Stack>
          {!asksFirst && <AtOnce act={() => void run({ id })} />}
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <Text>{t(username ? 'resetText' : 'inviteText', { name })}</Text>
          {link ? (
            <HandOver link={link} message={t('inviteMessage', { name, company, link })} onClose={onClose} />
          ) : (
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {form('cancel')}
              </Button>
              <Button loading={pending} onClick={() => void run({ id })}>
                {t('makeLink')}
              </Button>
            </Group>
          )}
        </Stack>
      </Dialog>
      {dialog}
    </>
  );
}

// Inside the dialog: what is shown once is not made before there is a place to show it.
function AtOnce({ act }: { act: () => void }) {
  const done = useRef(false);
  useEffect(() => {
    if (!done.current) act();
    done.current = true;
  }, [act]);
  return null;
}

function HandOver({ link, message, onClose }: { link: string; message: string; onClose: () => void }) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  return (
    <>
      <div>
        <CopyField label={t('inviteLink')} value={link} copyLabel={t('inviteCopy')} />
      </div>
      <Group justify="space-between">
        <Button
          component="a"
          variant="default"
          href={`https://wa.me/?text=${encodeURIComponent(message)}`}
          target="_blank"
          rel="noreferrer noopener"
          leftSection={<Share2 aria-hidden size={18} />}
        >
          {t('inviteShare')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {form('close')}
        </Button>
      </Group>
    </>
  );
}
