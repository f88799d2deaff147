import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { CreateKey } from '#app/owner/keys/create-key.tsx';
import { KeyTable } from '#app/owner/keys/key-table.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { env } from '#server/env.ts';
import { listKeys } from '#server/keys.ts';
import { requireOwner } from '#server/require.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('keys'))('title') };
}

export default async function Keys() {
  const owner = await requireOwner('/owner/keys');
  const t = await getTranslations('keys');
  const keys = await listKeys(owner);
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <CreateKey baseUrl={env().APP_URL} />
      </PageHead>
      <KeyTable keys={keys} />
    </>
  );
}
