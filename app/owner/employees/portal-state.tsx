import { Badge, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Note } from '#app/ui/lists/list-table.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { ShortTime } from '#app/ui/text/short-time.tsx';
import type { EmployeeSummary, PortalVisit } from '#server/employees/employee-list.ts';

/**
 * What is out of the ordinary about an employee's access and sound; nothing if all is well. `brief`:
 * without the date of an invitation.
 */
export function EmployeeNote({ employee, brief }: { employee: EmployeeSummary; brief?: boolean }) {
  const t = useTranslations('employees');
  const { active, username, invitedUntil, portal, devices } = employee;
  if (!active) return <Note>{t('inactive')}</Note>;
  if (!username) {
    if (!invitedUntil) return <Note tone="attention">{t('accounts.uninvited')}</Note>;
    if (brief) return <Note>{t('notes.invitedBrief')}</Note>;
    return (
      <span title={t('invitedColumn')}>
        <Note>
          {t('notes.invited')} <ShortTime at={invitedUntil} />
        </Note>
      </span>
    );
  }
  if (!portal) return <Note tone="attention">{t('notes.never')}</Note>;
  if (!portal.sound || portal.sound === 'on' || devices > 0) return null;
  return <Note tone={portal.sound === 'muted' ? undefined : 'attention'}>{t(`notes.${portal.sound}`)}</Note>;
}

/** The state of the sound that a browser reported; nothing if it reported none. */
export function SoundBadge({ sound }: { sound: PortalVisit['sound'] }) {
  const t = useTranslations('employees');
  if (!sound) return null;
  return (
    <Badge size="md" color={sound === 'on' ? 'green' : sound === 'muted' ? 'gray' : 'yellow'}>
      {t(`sound.${sound}`)}
    </Badge>
  );
}

/** The username of an employee, or the state of their invitation. */
export function AccountState({ employee: { username, invitedUntil } }: { employee: EmployeeSummary }) {
  const t = useTranslations('employees');
  if (username) return <bdi className="wrapping">{username}</bdi>;
  if (invitedUntil)
    return (
      <Text component="span" size="sm">
        {t('invited')} <Moment at={invitedUntil} />
      </Text>
    );
  return (
    <Text component="span" size="sm" c="dimmed">
      {t('noAccount')}
    </Text>
  );
}
