import { Badge, Group, Stack, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CancelInvitation, InviteOwner, LeaveManagement } from '#app/owner/settings/owners/invite-owner.tsx';
import { OwnerMenu } from '#app/owner/settings/owners/owner-menu.tsx';
import { SettingsPage, settingsTitle } from '#app/owner/settings/settings-page.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { type InvitedRights, listOwnerInvitations } from '#server/accounts/owners/owner-links.ts';
import { listManagers, listOwners, type OwnerSummary } from '#server/accounts/owners/owners.ts';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import type { Owner } from '#server/principals.ts';

export const generateMetadata = settingsTitle('access');

export default async function AccessSettings() {
  const owner = await requireOwner('/owner/settings/access');
  return (
    <SettingsPage current="access">
      <OwnerSection owner={owner} />
    </SettingsPage>
  );
}

/** The owners and managers with what can be done about each, and the open invitations. */
async function OwnerSection({ owner }: { owner: Owner }) {
  const [t, owners, managers, invitations] = await Promise.all([
    getTranslations('owners'),
    listOwners(owner),
    listManagers(owner),
    listOwnerInvitations(owner),
  ]);
  const company = owner.companyName;
  return (
    <Section id="owners" title={t('title')} lead={t('lead')}>
      {owners.length === 1 && <Text>{t('alone')}</Text>}
      <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
        {owners.map((one) => (
          <PersonRow key={one.accountId} one={one} rights="owner" isSelf={one.accountId === owner.accountId}>
            {one.accountId !== owner.accountId && <OwnerMenu other={one} rights="owner" company={company} />}
          </PersonRow>
        ))}
        {managers.map((one) => (
          <PersonRow key={one.accountId} one={one} rights="manager">
            <OwnerMenu other={one} rights="manager" company={company} />
          </PersonRow>
        ))}
        {invitations.map((invitation) => (
          <Row key={invitation.id} id={invitation.id} action={<CancelInvitation invitation={invitation} />}>
            <Group gap="xs">
              <Text fw={600} className="wrapping">
                <bdi>{invitation.name}</bdi>
              </Text>
              <Badge color="gray">{t(invitation.rights)}</Badge>
              <Badge color="gray">{t('invited')}</Badge>
            </Group>
            <Text size="sm" c="dimmed" className="wrapping">
              {t.rich('invitedBy', { by: () => <bdi>{invitation.invitedBy ?? t('theOperator')}</bdi> })}
            </Text>
            <Text size="sm" c="dimmed" className="wrapping">
              {t.rich('validUntil', { until: () => <Timestamp at={invitation.expiresAt} /> })}
            </Text>
          </Row>
        ))}
      </Stack>
      <Group gap="xs">
        <InviteOwner company={company} rights="owner" />
        <InviteOwner company={company} rights="manager" />
        {owners.length > 1 && <LeaveManagement rights="owner" />}
      </Group>
      <Text size="sm" c="dimmed">
        {t.rich('employeeHint', { link: (text) => <TextLink href="/owner/employees">{text}</TextLink> })}
      </Text>
    </Section>
  );
}

async function PersonRow({
  one,
  rights,
  isSelf = false,
  children,
}: {
  one: OwnerSummary;
  rights: InvitedRights;
  isSelf?: boolean;
  children: ReactNode;
}) {
  const t = await getTranslations('owners');
  const { accountId, name, username, since, signedInAt, isEmployee } = one;
  return (
    <Row id={accountId} action={children}>
      <Group gap="xs">
        <Text fw={600} className="wrapping">
          <bdi>{name}</bdi>
        </Text>
        <Badge color={rights === 'owner' ? undefined : 'gray'}>{t(rights)}</Badge>
        {isSelf && <Badge color="green">{t('you')}</Badge>}
        {isEmployee && <Badge color="gray">{t('alsoEmployee')}</Badge>}
      </Group>
      <Text size="sm" className="wrapping">
        <bdi>{username}</bdi>
      </Text>
      {rights === 'owner' && (
        <Text size="sm" c="dimmed" className="wrapping">
          {t.rich('since', { at: () => <Timestamp at={since} /> })}
        </Text>
      )}
      <Text size="sm" c="dimmed" className="wrapping">
        {signedInAt ? t.rich('signedIn', { at: () => <TimeAgo at={signedInAt} /> }) : t('neverSignedIn')}
      </Text>
    </Row>
  );
}

function Row({ id, action, children }: { id: number | string; action: ReactNode; children: ReactNode }) {
  return (
    <Group component="li" justify="space-between" align="flex-start" wrap="nowrap" data-owner={id}>
      <div style={{ flex: 1, minWidth: 0 }}>{children}</div>
      {action}
    </Group>
  );
}
