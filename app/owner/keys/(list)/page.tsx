import '#app/owner/keys/keys.css';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { ActiveKeys } from '#app/owner/keys/active-keys.tsx';
import { CreateKey } from '#app/owner/keys/create-key.tsx';
import { RevokedKeysInUse } from '#app/owner/keys/revoked-keys-in-use.tsx';
import { RevokedTable } from '#app/owner/keys/revoked-table.tsx';
import { UnsavedKeyNotice } from '#app/owner/keys/unsaved-key.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { IdText, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { LinkTabs } from '#app/ui/text/link-tabs.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { env } from '#server/env.ts';
import {
  listActiveKeys,
  listCallingRevokedKeys,
  listReplacements,
  listRevokedKeys,
} from '#server/keys/key-overview.ts';
import type { Owner } from '#server/principals.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('keys'))('title') };
}

const keysQuery = { state: z.literal('revoked'), before: IdText };

export default async function Keys({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { state, before } = readQuery(keysQuery, await searchParams);
  const revoked = state === 'revoked';
  const owner = await requireOwner(revoked ? '/owner/keys?state=revoked' : '/owner/keys');
  const [t, docs, nav] = await Promise.all([getTranslations('keys'), getTranslations('docs'), getTranslations('nav')]);
  const tabs = [
    { href: '/owner/keys', text: t('tabActive'), current: !revoked },
    { href: '/owner/keys?state=revoked', text: t('tabRevoked'), current: revoked },
  ];
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <CreateKey baseUrl={env().APP_URL} />
      </PageHead>
      <UnsavedKeyNotice />
      <LinkTabs label={t('tabsLabel')} tabs={tabs} />
      {revoked ? <Revoked owner={owner} before={before} /> : <Active owner={owner} />}
      <TextLink href="/docs" target="_blank" rel="noopener" mt="md">
        {docs('forKeys')} {nav('newTab')}
      </TextLink>
    </>
  );
}

async function Active({ owner }: { owner: Owner }) {
  const [keys, calling] = await Promise.all([listActiveKeys(owner), listCallingRevokedKeys(owner)]);
  return (
    <>
      <RevokedKeysInUse keys={calling} />
      <ActiveKeys keys={keys} replacements={listReplacements(keys)} baseUrl={env().APP_URL} />
    </>
  );
}

async function Revoked({ owner, before }: { owner: Owner; before?: number }) {
  const { keys, hasMore } = await listRevokedKeys(owner, { before });
  return <RevokedTable keys={keys} hasMore={hasMore} paged={before !== undefined} />;
}
