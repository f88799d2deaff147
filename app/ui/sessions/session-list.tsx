import { Badge, Group, Stack, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { nameOfBrowser } from '#app/ui/sessions/browser-label.ts';
import { EndSession } from '#app/ui/sessions/session-buttons.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { listSessions } from '#server/accounts/sessions.ts';
import type { Session } from '#server/principals.ts';

/**
 * Lists the open sessions of an account: this browser first, then the others with a button that
 * ends them.
 */
export async function SessionList({ session }: { session: Session }) {
  const t = await getTranslations('sessions');
  const sessions = await listSessions(session);
  const others = sessions.filter(({ id }) => id !== session.sessionId);
  const here = sessions.filter(({ id }) => id === session.sessionId);
  const all = await Promise.all(
    [...here, ...others].map(async (one) => ({ ...one, name: await nameOfBrowser(one.client) })),
  );
  return (
    <Stack gap="sm">
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {all.map(({ id, name, address, createdAt, seenAt }) => (
          <Group key={id} component="li" justify="space-between" data-session={id}>
            <div style={{ flex: '1 1 220px', minWidth: 0 }}>
              <Group gap="xs">
                <Text fw={600}>{name}</Text>
                {id === session.sessionId && <Badge color="green">{t('here')}</Badge>}
              </Group>
              <Text size="sm" c="dimmed" className="wrapping">
                {t.rich('facts', {
                  address,
                  since: () => <Moment at={createdAt} />,
                  seen: () => <TimeAgo at={seenAt} />,
                })}
              </Text>
            </div>
            {id !== session.sessionId && <EndSession which={id} name={name} />}
          </Group>
        ))}
      </Stack>
      {others.length > 1 && <EndSession which="others" name="" />}
      {others.length === 0 && <Text c="dimmed">{t('onlyHere')}</Text>}
    </Stack>
  );
}
