import '#app/owner/keys/keys.css';
import { Code, Skeleton } from '@mantine/core';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { KeyActions } from '#app/owner/keys/[id]/key-actions.tsx';
import { KeyFacts } from '#app/owner/keys/[id]/key-facts.tsx';
import { KeyNotice } from '#app/owner/keys/[id]/key-notice.tsx';
import { KeyPictures } from '#app/owner/keys/[id]/key-pictures.tsx';
import { KeyRefusals } from '#app/owner/keys/[id]/key-refusals.tsx';
import { KeySends } from '#app/owner/keys/[id]/key-sends.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { IdText } from '#app/ui/lists/list-query.ts';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { env } from '#server/env.ts';
import { findKeyOverview } from '#server/keys/key-overview.ts';
import { listKeys } from '#server/keys/keys.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('keys'))('pageTitle') };
}

/** The page of one key: its traffic, sends, refusals and settings, and the actions on it. */
export default async function OneKey({ params }: { params: Promise<{ id: string }> }) {
  const id = IdText.safeParse((await params).id).data;
  const owner = await requireOwner(`/owner/keys/${id ?? ''}`);
  const apiKey = id === undefined ? null : await findKeyOverview(owner, id);
  if (!apiKey) notFound();
  const [t, keys] = await Promise.all([getTranslations('keys'), listKeys(owner)]);
  const names = keys.filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name);
  const others = keys.map(({ id: other, name }) => ({ id: other, name }));
  return (
    <>
      <TextLink href={apiKey.revokedAt ? '/owner/keys?state=revoked' : '/owner/keys'}>{t('backToKeys')}</TextLink>
      <PageHead
        title={<bdi className="wrapping">{apiKey.name}</bdi>}
        lead={
          <span className="key-head">
            <span>
              {t('created')} <Moment at={apiKey.createdAt} />
            </span>
            <span>
              {t('fingerprint')} <Code>{apiKey.fingerprintStart}</Code>
            </span>
          </span>
        }
      >
        {apiKey.revokedAt === null && <KeyActions apiKey={apiKey} names={names} baseUrl={env().APP_URL} />}
      </PageHead>
      <div className="key-page">
        <KeyNotice apiKey={apiKey} />
        <Suspense fallback={<Skeleton height={260} radius="lg" />}>
          <KeyPictures owner={owner} apiKey={apiKey} />
        </Suspense>
        <Suspense fallback={<Skeleton height={200} radius="lg" />}>
          <KeySends owner={owner} keyId={apiKey.id} />
        </Suspense>
        <Suspense fallback={<Skeleton height={120} radius="lg" />}>
          <KeyRefusals owner={owner} keyId={apiKey.id} />
        </Suspense>
        <KeyFacts apiKey={apiKey} others={others} />
      </div>
    </>
  );
}
