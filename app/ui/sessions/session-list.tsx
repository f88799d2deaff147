import { Badge, Stack, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Item, Items } from '#app/ui/lists/items.tsx';
import { EndSession } from '#app/ui/sessions/session-buttons.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { browserName } from '#server/accounts/sessions/browser-name.ts';
import { listSessions } from '#server/accounts/sessions/sessions.ts';
import type { Session } from '#server/principals.ts';

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
      <Items>
        {all.map(({ id, name, address, createdAt, seenAt }) => (
          <Item
            key={id}
            name={name}
            badges={id === session.sessionId && <Badge color="green">{t('here')}</Badge>}
            action={id !== session.sessionId && <EndSession which={id} name={name} />}
            data-session={id}
          >
            {t.rich('facts', {
              address,
              since: () => <Timestamp at={createdAt} />,
              seen: () => <TimeAgo at={seenAt} />,
            })}
          </Item>
        ))}
      </Items>
      {others.length > 1 && <EndSession which="others" name="" />}
      {others.length === 0 && <Text c="dimmed">{t('onlyHere')}</Text>}
    </Stack>
  );
}

export async function nameOfBrowser(client: string): Promise<string> {
  const t = await getTranslations('sessions');
  const { browser, system } = browserName(client);
  if (browser && system) return t('device', { browser, system });
  return browser || system || t('unknown');
}
