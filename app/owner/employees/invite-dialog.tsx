import { useTranslations } from 'next-intl';
import { createInvitationAction } from '#app/owner/employees/actions.ts';
import { LinkDialog } from '#app/ui/sessions/link-dialog.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

type Props = {
  employee: Pick<EmployeeSummary, 'id' | 'name' | 'username' | 'invitedUntil'>;
  company: string;
  onClose: () => void;
};

/** Creates an invitation link and shows it once. Asks first if it ends an earlier one or replaces a password. */
export function InviteDialog({ employee: { id, name, username, invitedUntil }, company, onClose }: Props) {
  const t = useTranslations('employees');
  return (
    <LinkDialog
      id={id}
      action={createInvitationAction}
      sentences={{ inviteFailed: t('inviteFailed') }}
      title={t(username ? 'resetTitle' : 'inviteTitle', { name })}
      text={t(username ? 'resetText' : 'inviteText', { name })}
      isImmediate={username === null && invitedUntil === null}
      label={t('inviteLink')}
      messageWith={(link) => t('inviteMessage', { name, company, link })}
      qrLabel={t('inviteQr', { name })}
      onClose={onClose}
    />
  );
}
