import { Alert } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Section } from '#app/ui/frame/page-head.tsx';
import { Item, Items } from '#app/ui/lists/items.tsx';
import { ConnectProvider, DisconnectIdentity } from '#app/ui/sessions/identity-buttons.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { listIdentities, listProviders, nameOfIssuer } from '#server/accounts/sign-in/identities.ts';
import type { Account } from '#server/principals.ts';

type Props = { account: Account; outcome: string | string[] | undefined };

/**
 * The identities of an account at providers, and buttons to connect more. `outcome` says how a way to a
 * provider ended. Shows nothing where the deployment has no provider.
 */
export async function IdentitySection({ account, outcome }: Props) {
  const providers = listProviders();
  const [t, identities] = await Promise.all([getTranslations('identities'), listIdentities(account)]);
  const isMissing = ({ issuer }: { issuer: string }) => !identities.some((one) => one.issuer === issuer);
  if (providers.length === 0 && identities.length === 0) return null;
  const key = `outcome.${outcome}` as 'outcome.provider';
  const waited = /^[1-9]\d{0,4}$/.test(String(outcome));
  return (
    <Section id="identities" title={t('title')} lead={t('lead')}>
      <div role="status">
        {waited && <Alert color="red">{t('wait', { minutes: Math.ceil(Number(outcome) / 60) })}</Alert>}
        {outcome && t.has(key) && <Alert color={outcome === 'linked' ? 'green' : 'red'}>{t(key)}</Alert>}
      </div>
      <Texts of={['identities']}>
        <Items>
          {identities.map(({ id, issuer, label, createdAt, usedAt }) => (
            <Item
              key={id}
              name={nameOfIssuer(issuer)}
              action={<DisconnectIdentity id={id} provider={nameOfIssuer(issuer)} />}
              data-identity={id}
            >
              <bdi>{label}</bdi>
              <br />
              {t.rich('facts', {
                since: () => <Timestamp at={createdAt} />,
                used: () => <TimeAgo at={usedAt ?? createdAt} />,
              })}
            </Item>
          ))}
        </Items>
        {providers.filter(isMissing).map(({ id, label }) => (
          <ConnectProvider key={id} provider={{ id, label }} />
        ))}
      </Texts>
    </Section>
  );
}
