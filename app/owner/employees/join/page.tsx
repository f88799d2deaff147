import { Box, Text } from '@mantine/core';
import { UserRoundPlus } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { MakeLink, RevokeLink } from '#app/owner/employees/join/join-links.tsx';
import { JoinRequests } from '#app/owner/employees/join/join-requests.tsx';
import { pictureOf } from '#app/ui/frame/company-logo.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { findLogo } from '#server/companies/logo.ts';
import { listRoles } from '#server/employees/employee-list.ts';
import { type JoinLink, listJoinLinks } from '#server/employees/join-links.ts';
import { countJoinRequests, listJoinRequests } from '#server/employees/join-requests.ts';

export const generateMetadata = titled('joins', 'title');

export default async function Joining() {
  const manager = await requireManager('/owner/employees/join');
  const [t, employees, requests, count, links, roles, logo] = await Promise.all([
    getTranslations('joins'),
    getTranslations('employees'),
    listJoinRequests(manager),
    countJoinRequests(manager),
    listJoinLinks(manager),
    listRoles(manager),
    findLogo(manager),
  ]);
  const company = manager.companyName;
  return (
    <Texts of={['joins']}>
      <TextLink href="/owner/employees">{employees('back')}</TextLink>
      <PageHead title={t('title')} lead={t('lead')}>
        <MakeLink company={company} logo={pictureOf(logo)} roles={roles} />
      </PageHead>
      {requests.length === 0 ? (
        <EmptyState icon={<UserRoundPlus aria-hidden size={32} />} title={t('noRequests')} text={t('noRequestsText')} />
      ) : (
        <>
          {count > requests.length && (
            <Text className="fine-print" mb="xs">
              {t('more', { shown: requests.length, count })}
            </Text>
          )}
          <JoinRequests requests={requests} roles={roles} />
        </>
      )}
      <Box mt="var(--space-6)">
        <Section id="links" title={t('links')}>
          {links.length === 0 ? <Text c="dimmed">{t('noLinks')}</Text> : <Links links={links} />}
        </Section>
      </Box>
    </Texts>
  );
}

async function Links({ links }: { links: JoinLink[] }) {
  const t = await getTranslations('joins');
  return (
    <ul className="plain-list divided">
      {links.map(({ id, role, requests, maxRequests, expiresAt, createdBy }) => (
        <li key={id} data-link={id}>
          <div>
            <strong>
              <bdi>{role ?? t('everyRole')}</bdi>
            </strong>
            <span className="list-sub">
              {t('used', { requests, most: maxRequests })} ·{' '}
              {t.rich('until', { until: () => <Timestamp at={expiresAt} /> })} ·{' '}
              <bdi>{t('by', { name: createdBy })}</bdi>
            </span>
          </div>
          <RevokeLink id={id} name={role ?? t('everyRole')} />
        </li>
      ))}
    </ul>
  );
}
