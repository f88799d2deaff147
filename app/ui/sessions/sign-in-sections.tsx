import { Alert, Badge, Stack, Text } from '@mantine/core';
import { headers } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Section } from '#app/ui/frame/page-head.tsx';
import { Item, Items } from '#app/ui/lists/items.tsx';
import { AddPasskey, ConnectProvider } from '#app/ui/sessions/account-buttons.tsx';
import { ConfirmedAction } from '#app/ui/sessions/form-dialog.tsx';
import {
  endBellAction,
  endSessionsAction,
  removePasskeyAction,
  unlinkIdentityAction,
} from '#app/ui/sessions/session-actions.ts';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { browserName } from '#server/accounts/sessions/browser-name.ts';
import { type BellSummary, type Confirmation, listSessions } from '#server/accounts/sessions/sessions.ts';
import { listIdentities, listProviders, nameOfIssuer } from '#server/accounts/sign-in/identities.ts';
import { findRelyingParty, listPasskeys } from '#server/accounts/sign-in/passkeys.ts';
import type { Account, Session } from '#server/principals.ts';

export async function SessionList({ session }: { session: Session }) {
  const t = await getTranslations('sessions');
  const sessions = await listSessions(session);
  const bells = sessions.flatMap(({ bells }) => bells);
  const others = sessions.filter(({ id }) => id !== session.sessionId);
  const here = sessions.filter(({ id }) => id === session.sessionId);
  const all = await Promise.all(
    [...here, ...others].map(async (listed) => ({ ...listed, name: await nameOfBrowser(listed.client) })),
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
        {bells.map((bell) => (
          <ConnectedBell key={bell.id} {...bell} />
        ))}
      </Items>
      {others.length > 1 && <EndSession which="others" />}
      {others.length === 0 && <Text c="dimmed">{t('onlyHere')}</Text>}
    </Stack>
  );
}

async function ConnectedBell({ id, origin, address, client, openedAt }: BellSummary) {
  const t = await getTranslations('sessions');
  const { host } = new URL(origin);
  const [name, title] = [await nameOfBrowser(client), t('endBellNamed', { host })];
  const end = (
    <ConfirmedAction
      action={endBellAction}
      input={{ id }}
      sentences={{ gone: t('bellGone') }}
      title={title}
      submit={t('endBell')}
      label={title}
      text={t('endBellText')}
    />
  );
  return (
    <Item name={t('bell', { host })} action={end} data-bell={id}>
      {t.rich('bellFacts', { name, address, since: () => <Timestamp at={openedAt} /> })}
    </Item>
  );
}

async function EndSession({ which, name = '' }: { which: number | 'others'; name?: string }) {
  const t = await getTranslations('sessions');
  const isSingle = which !== 'others';
  const title = isSingle ? t('endNamed', { name }) : t('endOthers');
  return (
    <ConfirmedAction
      action={endSessionsAction}
      input={{ which }}
      sentences={{ gone: t('gone') }}
      title={title}
      submit={isSingle ? t('end') : title}
      label={title}
    >
      <Text>{isSingle ? t('endText') : t('endOthersText')}</Text>
      <Text className="fine-print">{t('devices')}</Text>
    </ConfirmedAction>
  );
}

export async function nameOfBrowser(client: string): Promise<string> {
  const t = await getTranslations('sessions');
  const { browser, system } = browserName(client);
  if (browser && system) return t('device', { browser, system });
  return browser || system || t('unknown');
}

/** The section of an account's passkeys, with `children` below once there is one; nothing where APP_URL allows none. */
export async function PasskeySection({ account, children }: { account: Account; children?: ReactNode }) {
  if (!findRelyingParty()) return null;
  const t = await getTranslations('passkeys');
  const passkeys = await listPasskeys(account);
  return (
    <Section id="passkeys" title={t('title')} lead={t('lead')}>
      {passkeys.length > 0 && (
        <Items>
          {passkeys.map(({ id, name, createdAt, usedAt }) => (
            <Item
              key={id}
              name={name}
              action={
                <ConfirmedAction
                  action={removePasskeyAction}
                  input={{ id }}
                  sentences={{ needed: t('needed'), 'no-such-passkey': t('gone') }}
                  title={t('removeNamed', { name })}
                  submit={t('remove')}
                  label={t('removeNamed', { name })}
                  text={t('removeText')}
                />
              }
              data-passkey={id}
            >
              {t.rich('since', { at: () => <Timestamp at={createdAt} /> })} ·{' '}
              {usedAt ? t.rich('used', { at: () => <TimeAgo at={usedAt} /> }) : t('unused')}
            </Item>
          ))}
        </Items>
      )}
      <AddPasskey proposedName={await proposeName()} />
      {passkeys.length > 0 && children}
    </Section>
  );
}

/** The name that is proposed for a passkey: that of the browser. */
export const proposeName = async (): Promise<string> => nameOfBrowser((await headers()).get('user-agent') ?? '');

/** Through which provider somebody signed in, and when it confirmed them last. */
export async function ConfirmedBy({ confirmation: { issuer, confirmedAt } }: { confirmation: Confirmation }) {
  const t = await getTranslations('identities');
  const provider = nameOfIssuer(issuer);
  return <div>{t.rich('confirmed', { provider, at: () => <TimeAgo at={confirmedAt} /> })}</div>;
}

type Props = { account: Account; outcome: string | string[] | undefined };

/** The identities of an account, and buttons to connect more, if there are providers. `outcome`: how a try ended. */
export async function IdentitySection({ account, outcome }: Props) {
  const providers = listProviders();
  const [t, identities] = await Promise.all([getTranslations('identities'), listIdentities(account)]);
  const isMissing = ({ issuer }: { issuer: string }) => !identities.some((identity) => identity.issuer === issuer);
  if (providers.length === 0 && identities.length === 0) return null;
  const key = `outcome.${outcome}` as 'outcome.provider';
  const silent = providers.find(({ id }) => outcome === `unreachable:${id}`);
  const waited = /^[1-9]\d{0,4}$/.test(String(outcome));
  return (
    <Section id="identities" title={t('title')} lead={t('lead')}>
      <div role="status">
        {waited && <Alert color="red">{t('wait', { minutes: Math.ceil(Number(outcome) / 60) })}</Alert>}
        {silent && <Alert color="red">{t('outcome.unreachable', { provider: silent.label })}</Alert>}
        {outcome && t.has(key) && <Alert color={outcome === 'linked' ? 'green' : 'red'}>{t(key)}</Alert>}
      </div>
      <Items>
        {identities.map(({ id, issuer, label, createdAt, usedAt }) => {
          const provider = nameOfIssuer(issuer);
          const disconnect = (
            <ConfirmedAction
              action={unlinkIdentityAction}
              input={{ id }}
              sentences={{ gone: t('gone'), onlyWayIn: t('onlyWayIn') }}
              title={t('disconnectNamed', { provider })}
              submit={t('disconnect')}
              label={t('disconnectNamed', { provider })}
              text={t('disconnectText', { provider })}
            />
          );
          return (
            <Item key={id} name={provider} action={disconnect} data-identity={id}>
              <bdi>{label}</bdi>
              <br />
              {t.rich('facts', {
                since: () => <Timestamp at={createdAt} />,
                used: () => <TimeAgo at={usedAt ?? createdAt} />,
              })}
            </Item>
          );
        })}
      </Items>
      {providers.filter(isMissing).map(({ id, label }) => (
        <ConnectProvider key={id} provider={{ id, label }} text={t('connect', { provider: label })} />
      ))}
    </Section>
  );
}
