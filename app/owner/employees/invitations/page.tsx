import { Group, Stack, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { revokeJoinLinkAction } from '#app/owner/employees/actions.ts';
import { MakeLink, OpenLink } from '#app/owner/employees/join/join-link-buttons.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { Item, Items } from '#app/ui/lists/items.tsx';
import { ConfirmedAction } from '#app/ui/sessions/form-dialog.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { Texts, titled } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { countEmployees, listRoles } from '#server/employees/employee-list.ts';
import { listJoinLinks } from '#server/employees/join-requests.ts';

export const generateMetadata = titled('joins', 'invitations');

/** The ways into the portal: invitations for persons, and links with which many ask to join. */
export default async function Invitations() {
  const manager = await requireManager('/owner/employees/invitations');
  const [t, links, roles, count, invited] = await Promise.all([
    getTranslations('joins'),
    listJoinLinks(manager),
    listRoles(manager),
    countEmployees(manager, { state: 'active', account: 'uninvited' }),
    countEmployees(manager, { state: 'active', account: 'invited' }),
  ]);
  return (
    <Texts of={['joins']}>
      <PageHead title={t('invitations')}>
        <MakeLink roles={roles} />
      </PageHead>
      <Stack>
        <Section id="people" title={t('people')} lead={t('peopleLead')}>
          <Text>{t('uninvited', { count })}</Text>
          {count > 0 && (
            <TextLink href="/owner/employees?state=active&account=uninvited&choose=all">{t('invite')}</TextLink>
          )}
          {invited > 0 && (
            <TextLink href="/owner/employees?state=active&account=invited">{t('invited', { count: invited })}</TextLink>
          )}
        </Section>
        <Section id="links" title={t('links')} lead={t('linksLead')}>
          {links.length === 0 && <Text c="dimmed">{t('noLinks')}</Text>}
          <Items>
            {links.map(({ id, role, requests, maxRequests, expiresAt, createdBy }) => (
              <Item
                key={id}
                name={role ?? t('everyRole')}
                action={
                  <Group gap="xs">
                    <OpenLink id={id} role={role ?? t('everyRole')} />
                    <ConfirmedAction
                      label={t('revokeNamed', { role: role ?? t('everyRole') })}
                      action={revokeJoinLinkAction}
                      input={{ id }}
                      sentences={{ gone: t('gone') }}
                      title={t('revokeTitle')}
                      submit={t('revoke')}
                      text={t('revokeText')}
                    />
                  </Group>
                }
                data-link={id}
              >
                {t('used', { requests, most: maxRequests })} ·{' '}
                {t.rich('until', { until: () => <Timestamp at={expiresAt} /> })} ·{' '}
                <bdi>{t('by', { name: createdBy })}</bdi>
              </Item>
            ))}
          </Items>
        </Section>
      </Stack>
    </Texts>
  );
}
