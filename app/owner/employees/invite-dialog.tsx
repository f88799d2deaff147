import { useTranslations } from 'next-intl';
import { use } from 'react';
import { showInvitationAction } from '#app/owner/employees/actions.ts';
import { Company } from '#app/ui/frame/company.ts';
import { LinkDialog } from '#app/ui/sessions/link-dialog.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

type Props = { employee: Pick<EmployeeSummary, 'id' | 'name' | 'username' | 'invitedUntil'>; onClose: () => void };

const texts = { again: 'inviteAgain', another: 'inviteAnother', new: null } as const;

/** The dialog with an employee's invitation link. Asks first if a new one replaces a password. */
export function InviteDialog({ employee: { id, name, username, invitedUntil }, onClose }: Props) {
  const t = useTranslations('employees');
  const { company } = use(Company);
  return (
    <LinkDialog
      id={id}
      action={showInvitationAction}
      sentences={{ inviteFailed: t('inviteFailed') }}
      title={t(username ? 'resetTitle' : 'inviteTitle', { name })}
      text={(shown = 'new') => t(texts[shown] ?? (username ? 'resetText' : 'inviteText'), { name })}
      isImmediate={username === null || invitedUntil !== null}
      label={t('inviteLink')}
      messageWith={(link) => t('inviteMessage', { name, company, link })}
      qrLabel={t('inviteQr', { name })}
      onClose={onClose}
    />
  );
}
