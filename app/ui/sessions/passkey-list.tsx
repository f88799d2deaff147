import { Group, Stack, Text } from '@mantine/core';
import { headers } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Section } from '#app/ui/frame/page-head.tsx';
import { AddPasskey, RemovePasskey } from '#app/ui/sessions/passkey-dialogs.tsx';
import { nameOfBrowser } from '#app/ui/sessions/session-list.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { findRelyingParty, listPasskeys } from '#server/accounts/sign-in/passkeys.ts';
import type { Account } from '#server/principals.ts';

/** The section of an account's passkeys, with `children` below once there is one; nothing where APP_URL allows none. */
export async function PasskeySection({ account, children }: { account: Account; children?: ReactNode }) {
  if (!findRelyingParty()) return null;
  const t = await getTranslations('passkeys');
  const passkeys = await listPasskeys(account);
  return (
    <Texts of={['passkeys']}>
      <Section id="passkeys" title={t('title')} lead={t('lead')}>
        {passkeys.length > 0 && (
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
            {passkeys.map(({ id, name, createdAt, usedAt }) => (
              <Group key={id} component="li" justify="space-between" data-passkey={id}>
                <div style={{ flex: '1 1 220px', minWidth: 0 }}>
                  <Text fw={600} className="wrapping">
                    <bdi>{name}</bdi>
                  </Text>
                  <Text className="fine-print">
                    {t.rich('since', { at: () => <Timestamp at={createdAt} /> })} ·{' '}
                    {usedAt ? t.rich('used', { at: () => <TimeAgo at={usedAt} /> }) : t('unused')}
                  </Text>
                </div>
                <RemovePasskey id={id} name={name} />
              </Group>
            ))}
          </Stack>
        )}
        <AddPasskey proposedName={await proposeName()} />
        {passkeys.length > 0 && children}
      </Section>
    </Texts>
  );
}

/** The name that is proposed for a passkey: that of the browser. */
export const proposeName = async (): Promise<string> => nameOfBrowser((await headers()).get('user-agent') ?? '');
