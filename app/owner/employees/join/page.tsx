import { Text } from '@mantine/core';
import { UserRoundPlus } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { JoinRequests } from '#app/owner/employees/join/join-request-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/list-parts.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { Texts, titled } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { listRoles } from '#server/employees/employee-list.ts';
import { countJoinRequests, listJoinRequests } from '#server/employees/join-requests.ts';

export const generateMetadata = titled('joins', 'title');

export default async function Joining() {
  const manager = await requireManager('/owner/employees/join');
  const [t, requests, count, roles] = await Promise.all([
    getTranslations('joins'),
    listJoinRequests(manager),
    countJoinRequests(manager),
    listRoles(manager),
  ]);
  return (
    <Texts of={['joins']}>
      <PageHead compact title={t('title')} />
      {requests.length === 0 ? (
        <EmptyState icon={<UserRoundPlus size={32} />} title={t('noRequests')} text={t('noRequestsText')}>
          <ButtonLink href="/owner/employees/invitations" text={t('invitations')} />
        </EmptyState>
      ) : (
        <>
          {count > requests.length && (
            <Text className="fine-print" mb="xs">
              {t('more', { shown: requests.length, count })}
            </Text>
          )}
          <JoinRequests requests={requests} roles={roles} />
          <Text className="fine-print" mt="xs">
            {t('lead')}
          </Text>
        </>
      )}
    </Texts>
  );
}
