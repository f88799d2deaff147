import '#app/owner/keys/keys.css';
import { Group, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { UnsavedKeyNotice } from '#app/owner/keys/create/unsaved-key.tsx';
import { CreateKeyButton } from '#app/owner/keys/dialogs/key-dialogs.tsx';
import { ActiveKeys } from '#app/owner/keys/list/active-keys.tsx';
import { RevokedKeysInUse, RevokedTable } from '#app/owner/keys/list/revoked-keys.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { IdText, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { env } from '#platform/config/settings.ts';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import {
  listActiveKeys,
  listCallingRevokedKeys,
  listReplacements,
  listRevokedKeys,
} from '#server/keys/key-overview.ts';
import { hasKeys } from '#server/keys/keys.ts';

export const generateMetadata = titled('keys', 'title');

const keysQuery = { state: z.literal('revoked'), before: IdText };

export default async function Keys({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { state, before } = readQuery(keysQuery, await searchParams);
  const revoked = state === 'revoked';
  const owner = await requireOwner(revoked ? '/owner/keys?state=revoked' : '/owner/keys');
  const [t, hasAny, keys, calling] = await Promise.all([
    getTranslations(),
    hasKeys(owner),
    revoked ? [] : listActiveKeys(owner),
    revoked ? [] : listCallingRevokedKeys(owner),
  ]);
  return (
    <>
      <PageHead
        compact={hasAny}
        back={revoked ? { href: '/owner/keys', text: t('keys.title') } : undefined}
        title={revoked ? t('keys.tabRevoked') : hasAny ? t('keys.title') : t('nav.system')}
      >
        {!revoked && <CreateKeyButton baseUrl={env().APP_URL} />}
      </PageHead>
      <UnsavedKeyNotice />
      {revoked ? (
        <RevokedTable {...(await listRevokedKeys(owner, { before }))} paged={before !== undefined} />
      ) : (
        <>
          <RevokedKeysInUse keys={calling} />
          <ActiveKeys keys={keys} replacements={listReplacements(keys)} baseUrl={env().APP_URL} />
        </>
      )}
      <Group gap="lg" mt="xs">
        {hasAny && !revoked && <TextLink href="/owner/keys?state=revoked">{t('keys.tabRevoked')}</TextLink>}
        <TextLink href="/docs" target="_blank" rel="noopener">
          {t('docs.forKeys')} {t('nav.newTab')}
        </TextLink>
        {!hasAny && <TextLink href="/owner/settings/alarms">{t('nav.alarms')}</TextLink>}
      </Group>
      <Text className="fine-print">{t('keys.lead')}</Text>
    </>
  );
}
