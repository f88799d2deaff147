import { headers } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Section } from '#app/ui/frame/page-head.tsx';
import { Item, Items } from '#app/ui/lists/items.tsx';
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
          <Items>
            {passkeys.map(({ id, name, createdAt, usedAt }) => (
              <Item key={id} name={name} action={<RemovePasskey id={id} name={name} />} data-passkey={id}>
                {t.rich('since', { at: () => <Timestamp at={createdAt} /> })} ·{' '}
                {usedAt ? t.rich('used', { at: () => <TimeAgo at={usedAt} /> }) : t('unused')}
              </Item>
            ))}
          </Items>
        )}
        <AddPasskey proposedName={await proposeName()} />
        {passkeys.length > 0 && children}
      </Section>
    </Texts>
  );
}

/** The name that is proposed for a passkey: that of the browser. */
export const proposeName = async (): Promise<string> => nameOfBrowser((await headers()).get('user-agent') ?? '');
