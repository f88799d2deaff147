import { Alert, Badge, Card, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { X } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { Fragment, type ReactNode } from 'react';
import { InviteOwner, OwnerMenu } from '#app/owner/settings/access/owner-dialogs.tsx';
import {
  cancelOwnerInvitationAction,
  changeIdleLimitsAction,
  leaveOwnersAction,
  remindToConnectAction,
  requireSecondFactorAction,
} from '#app/owner/settings/actions.ts';
import { ProviderRuleForm } from '#app/owner/settings/settings-forms.tsx';
import { SettingsPage } from '#app/owner/settings/settings-page.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { Item, Items } from '#app/ui/lists/items.tsx';
import { ConfirmedAction } from '#app/ui/sessions/form-dialog.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import { ConfirmedBy } from '#app/ui/sessions/sign-in-sections.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { Texts, titled } from '#app/ui/text/texts.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { listOwnerInvitations } from '#server/accounts/owners/owner-links.ts';
import { listManagement, type OwnerSummary } from '#server/accounts/owners/owners.ts';
import { findSecondFactorDay } from '#server/accounts/owners/second-factor.ts';
import { idleChoices } from '#server/accounts/sessions/sessions.ts';
import { listProviders, nameOfIssuer } from '#server/accounts/sign-in/identities.ts';
import { findProviderRule, listReadiness, listUnconnected } from '#server/accounts/sign-in/only-provider.ts';
import { findRelyingParty } from '#server/accounts/sign-in/passkeys.ts';
import { logoutAddressOf } from '#server/accounts/sign-in/provider.ts';
import { findLastLogout } from '#server/accounts/sign-in/provider-sessions.ts';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findSettings } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

export const generateMetadata = titled('nav', 'access');

export default async function AccessSettings({ searchParams }: PageProps<'/owner/settings/access'>) {
  const owner = await requireOwner('/owner/settings/access');
  const [t, sessions] = await Promise.all([getTranslations('owners'), getTranslations('sessions')]);
  const [idleLimits, people, invitations] = await Promise.all([
    findSettings(owner, ['managersIdleMinutes', 'employeesIdleMinutes']),
    listManagement(owner),
    listOwnerInvitations(owner),
  ]);
  const idleChoice = (minutes: number) => ({ value: String(minutes), label: sessions('idle.after', { minutes }) });
  const isAlone = people.filter(({ rights }) => rights === 'owner').length === 1;
  return (
    <SettingsPage name="access" lead={t('lead')}>
      <Section id="owners" title={t('title')} quiet>
        {isAlone && <Text>{t('alone')}</Text>}
        <Items>
          {people.map((row) => (
            <PersonRow key={row.accountId} row={row} isSelf={row.accountId === owner.accountId} />
          ))}
          {invitations.map((invitation) => (
            <Item
              key={invitation.id}
              data-owner={invitation.id}
              name={invitation.name}
              badges={
                <>
                  <Badge color="gray">{t(invitation.rights)}</Badge>
                  <Badge color="gray">{t('invited')}</Badge>
                </>
              }
              action={
                <ConfirmedAction
                  icon={<X size={20} />}
                  label={t('cancelNamed', { name: invitation.name })}
                  action={cancelOwnerInvitationAction}
                  input={{ id: invitation.id }}
                  sentences={{ 'no-such-invitation': t('invitationGone') }}
                  title={<bdi>{t('cancelNamed', { name: invitation.name })}</bdi>}
                  submit={t('cancel')}
                  text={t('cancelText')}
                />
              }
            >
              {t.rich('invitedBy', { by: () => <bdi>{invitation.invitedBy ?? t('theOperator')}</bdi> })}
              <br />
              {t.rich('validUntil', { until: () => <Timestamp at={invitation.expiresAt} /> })}
            </Item>
          ))}
        </Items>
        <Group gap="xs">
          <InviteOwner rights="owner" />
          <InviteOwner rights="manager" />
          {!isAlone && (
            <ConfirmedAction
              action={leaveOwnersAction}
              input={null}
              sentences={{ 'last-owner': t('last') }}
              leadsTo="/login"
              title={t('leaveTitle')}
              submit={t('leave')}
              text={t('leaveText')}
            />
          )}
        </Group>
        <Text className="fine-print">
          {t.rich('employeeHint', { link: (text) => inText('/owner/employees', text) })}
        </Text>
      </Section>
      <SecondFactorRule owner={owner} />
      <ProviderRule owner={owner} isWhole={(await searchParams).people === 'all'} />
      <Section id="idle" title={sessions('idle.title')} lead={sessions('idle.lead')}>
        <SavedForm action={changeIdleLimitsAction} saved={sessions('idle.saved')}>
          {(['managers', 'employees'] as const).map((name) => (
            <NativeSelect
              key={name}
              name={name}
              label={sessions(`idle.${name}`)}
              description={sessions(`idle.${name}Hint`)}
              defaultValue={idleLimits[`${name}IdleMinutes`] ?? ''}
              data={[{ value: '', label: sessions('idle.never') }, ...idleChoices[name].map(idleChoice)]}
            />
          ))}
          <Text className="fine-print">{sessions('idle.devices')}</Text>
        </SavedForm>
      </Section>
    </SettingsPage>
  );
}

// Nothing where APP_URL allows no passkeys.
async function SecondFactorRule({ owner }: { owner: Owner }) {
  if (!findRelyingParty()) return null;
  const t = await getTranslations('passkeys');
  const sentences = { 'passkey-first': t('passkeyFirst') };
  return (
    <Section id="second-factor" title={t('requireTitle')} lead={t('requireLead')}>
      <SavedForm action={requireSecondFactorAction} sentences={sentences} saved={t('saved')}>
        <TextField
          name="day"
          type="date"
          label={t('day')}
          description={t('dayHint')}
          defaultValue={(await findSecondFactorDay(owner)) ?? ''}
          required={false}
        />
      </SavedForm>
    </Section>
  );
}

async function ProviderRule({ owner, isWhole }: { owner: Owner; isWhole: boolean }) {
  const [t, rule] = await Promise.all([getTranslations('identities'), findProviderRule(owner)]);
  const { issuer, fallbackAccountId, fallbacks } = rule;
  if (listProviders().length === 0 && issuer === null) return null;
  const issuers = [...new Set([...rule.issuers, ...(issuer ? [issuer] : [])])];
  const fallback = fallbacks.find(({ accountId }) => accountId === (fallbackAccountId ?? owner.accountId));
  return (
    <Section id="provider" title={t('ruleTitle')} lead={t('ruleLead')}>
      {rule.issuers.length === 0 && <Text>{t('notLinked')}</Text>}
      {issuer !== null && listProviders([issuer]).length === 0 && (
        <Alert color="red">{t('missing', { provider: nameOfIssuer(issuer), fallback: fallback?.name ?? '' })}</Alert>
      )}
      {issuers.length > 0 && (
        <Texts of={['identities']}>
          <ProviderRuleForm
            issuer={issuer}
            fallback={fallback?.accountId}
            issuers={issuers.map((value) => ({ value, label: t('only', { provider: nameOfIssuer(value) }) }))}
            fallbacks={fallbacks.map(({ accountId, name }) => ({ value: String(accountId), label: name }))}
            people={Object.fromEntries(
              issuers.map((url) => [url, <ProviderPeople key={url} owner={owner} issuer={url} isWhole={isWhole} />]),
            )}
          />
        </Texts>
      )}
      {listProviders(rule.issuers).map((provider) => (
        <LastLogout key={provider.id} provider={provider} />
      ))}
    </Section>
  );
}

const fewNames = 10;
const allNames = 1000;

async function ProviderPeople({ owner, issuer, isWhole }: { owner: Owner; issuer: string; isWhole: boolean }) {
  const provider = nameOfIssuer(issuer);
  const t = await getTranslations('identities.people');
  const groups = await listReadiness(owner, issuer, isWhole ? allNames : fewNames);
  const count = listUnconnected(groups).length;
  return (
    <Stack gap="sm">
      {groups.map(({ readiness, count, people }) => (
        <div key={readiness} data-readiness={readiness}>
          <Text fw={600}>{t(readiness, { count })}</Text>
          <Text size="sm" className="wrapping">
            {people.map(({ key, name, employeeId }, place) => (
              <Fragment key={key}>
                {place > 0 && ', '}
                {employeeId === null ? <bdi>{name}</bdi> : inText(`/owner/employees/${employeeId}`, name)}
              </Fragment>
            ))}
            {people.length < count && ' '}
            {people.length < count &&
              inText('/owner/settings/access?people=all#provider', t('more', { count: count - people.length }))}
          </Text>
          <Text className="fine-print">{t(`${readiness}Text`, { provider })}</Text>
        </div>
      ))}
      {count > 0 && (
        <SavedForm
          action={remindToConnectAction}
          submit={t('remind', { count })}
          isMinor
          saved={t('reminded')}
          sentences={{ 'nobody-left': t('nobodyLeft') }}
        >
          <input type="hidden" name="issuer" value={issuer} />
          <Text size="sm">{t('remindText')}</Text>
          <Card withBorder padding="sm">
            <Text fw={600}>{t('reminderTitle', { provider })}</Text>
            <Text size="sm">{t('reminderBody', { provider })}</Text>
          </Card>
        </SavedForm>
      )}
    </Stack>
  );
}

const inText = (href: string, text: ReactNode) => (
  <TextLink href={href} inherit display="inline" underline="always" py={0}>
    <bdi>{text}</bdi>
  </TextLink>
);

async function LastLogout({ provider }: { provider: ReturnType<typeof listProviders>[number] }) {
  const [t, last] = await Promise.all([getTranslations('identities'), findLastLogout(provider.issuer)]);
  const values = { provider: provider.label, address: logoutAddressOf(provider) };
  return (
    <Text className="fine-print">
      {last ? t.rich('lastLogout', { ...values, at: () => <TimeAgo at={last} /> }) : t('noLogout', values)}
    </Text>
  );
}

async function PersonRow({ row, isSelf }: { row: OwnerSummary; isSelf: boolean }) {
  const t = await getTranslations('owners');
  const { accountId, rights, name, username, since, signedInAt, confirmation, isEmployee } = row;
  const badges = (
    <>
      <Badge color={rights === 'owner' ? undefined : 'gray'}>{t(rights)}</Badge>
      {isSelf && <Badge color="green">{t('you')}</Badge>}
      {isEmployee && <Badge color="gray">{t('alsoEmployee')}</Badge>}
    </>
  );
  return (
    <Item name={name} badges={badges} action={!isSelf && <OwnerMenu other={row} />} data-owner={accountId}>
      <bdi>{username}</bdi>
      {rights === 'owner' && <div>{t.rich('since', { at: () => <Timestamp at={since} /> })}</div>}
      <div>{signedInAt ? t.rich('signedIn', { at: () => <TimeAgo at={signedInAt} /> }) : t('neverSignedIn')}</div>
      {confirmation && <ConfirmedBy confirmation={confirmation} />}
    </Item>
  );
}
