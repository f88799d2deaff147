import { Badge, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Moment } from '#app/ui/text/moment.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import type { EmployeeSummary, PortalVisit } from '#server/employees/employee-list.ts';

/** When an employee's portal was last open, the state of its sound, and their devices. */
export function PortalState({ employee: { portal, devices } }: { employee: EmployeeSummary }) {
  const t = useTranslations('employees');
  return (
    <Stack gap={2} display="inline-flex">
      {portal ? (
        <>
          <Text component="span" size="sm">
            {t('seen')} <TimeAgo at={portal.seenAt} />
          </Text>
          <SoundBadge sound={portal.sound} />
        </>
      ) : (
        <Text component="span" size="sm" c="dimmed">
          {t('neverSeen')}
        </Text>
      )}
      {devices > 0 && (
        <Badge size="md" color="green">
          {t('devices', { count: devices })}
        </Badge>
      )}
    </Stack>
  );
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
