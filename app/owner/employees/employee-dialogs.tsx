'use client';

import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { Share2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { editEmployeeAction, inviteAction, setEmployeeActiveAction } from '#app/owner/employees/actions.ts';
import { EmployeeForm } from '#app/owner/employees/employee-form.tsx';
import { CopyField } from '#app/ui/copy-field.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { useAction } from '#app/ui/use-action.ts';
import type { EmployeeSummary } from '#server/employees.ts';

type DialogProps = { employee: EmployeeSummary; onClose: () => void };

function useFinish(onClose: () => void): () => void {
  const router = useRouter();
  return () => {
    onClose();
    router.refresh();
  };
}

/** Changes name and role. */
export function EditDialog({ employee, onClose }: DialogProps) {
  const t = useTranslations('employees');
  const finish = useFinish(onClose);
  return (
    <Dialog onClose={onClose} title={t('editTitle')}>
      <EmployeeForm
        action={(details) => editEmployeeAction({ id: employee.id, ...details })}
        initial={employee}
        onDone={finish}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Says what deactivating means before it does it; activating needs no warning but the same press. */
export function ActivityDialog({ employee, onClose }: DialogProps) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const { id, name, active } = employee;
  const { run, pending, problems } = useAction(setEmployeeActiveAction, useFinish(onClose), { gone: t('gone') });
  const title = active ? t('deactivateTitle', { name }) : t('activateNamed', { name });
  return (
    <Dialog onClose={onClose} title={<bdi>{title}</bdi>}>
      <Stack>
        {problems.form && <Alert color="red">{problems.form}</Alert>}
        <Text>{active ? t('deactivateText') : t('activateText')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {form('cancel')}
          </Button>
          <Button
            color={active ? 'red' : undefined}
            loading={pending}
            onClick={() => void run({ id, active: !active })}
          >
            {active ? t('deactivate') : t('activate')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Makes a link when it opens and shows it once, to copy or to share. */
export function InviteDialog({ employee, company, onClose }: DialogProps & { company: string }) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const { name } = employee;
  const [link, setLink] = useState<string>();
  const { run, problems } = useAction(inviteAction, ({ link }) => setLink(link), { inviteFailed: t('inviteFailed') });
  const asked = useRef(false);
  useEffect(() => {
    if (!asked.current) void run({ id: employee.id });
    asked.current = true;
  }, [run, employee.id]);
  const message = t('inviteMessage', { name, company, link: link ?? '' });
  return (
    <Dialog
      onClose={useFinish(onClose)}
      title={<bdi>{t('inviteTitle', { name })}</bdi>}
      size="lg"
      closeOnClickOutside={false}
    >
      <Stack>
        {problems.form && <Alert color="red">{problems.form}</Alert>}
        <Text>{t('inviteText', { name })}</Text>
        {link ? (
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
        ) : (
          !problems.form && <Loader />
        )}
      </Stack>
    </Dialog>
  );
}
