import { Skeleton, Stack, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { FirstSteps } from '#app/owner/home/first-steps.tsx';
import { KeysToCheck } from '#app/owner/home/keys-to-check.tsx';
import { OwnerChanges } from '#app/owner/home/owner-changes.tsx';
import { Reach } from '#app/owner/home/reach.tsx';
import { SendTable } from '#app/owner/sends/send-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { Section } from '#app/ui/frame/section.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { requireOwner, requireSession } from '#server/accounts/require.ts';
import { findProgress } from '#server/companies/overview.ts';
import type { Owner } from '#server/principals.ts';
import { listSends } from '#server/sends/list.ts';
import { countOutcomes } from '#server/sends/outcomes.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('owner'))('title') };
}

export default async function OwnerHome() {
  const owner = await requireOwner('/owner');
  const [{ account, employee }, t, progress] = await Promise.all([
    requireSession(),
    getTranslations('owner'),
    findProgress(owner),
  ]);
  if (!Object.values(progress).every(Boolean))
    return (
      <>
        <PageHead title={t('steps')} lead={t('stepsLead')} />
        <Texts of={['employees']}>
          <FirstSteps
            initial={progress}
            company={`${owner.companyName} · ${owner.timeZone}`}
            username={account.username}
            isEmployee={employee !== null}
          />
        </Texts>
      </>
    );
  return (
    <>
      <PageHead title={t('title')} />
      <Stack gap="lg">
        <Suspense fallback={null}>
          <OwnerChanges owner={owner} />
        </Suspense>
        <Suspense fallback={null}>
          <KeysToCheck owner={owner} />
        </Suspense>
        <Suspense fallback={<Skeleton height={160} radius="md" />}>
          <Reach owner={owner} />
        </Suspense>
        <LastSends owner={owner} />
      </Stack>
    </>
  );
}

async function LastSends({ owner }: { owner: Owner }) {
  const t = await getTranslations('owner');
  const { sends } = await listSends(owner, { limit: 5 });
  const outcomes = countOutcomes(
    owner,
    sends.map(({ no }) => no),
  );
  return (
    <Section id="recent" title={t('recent')}>
      {sends.length === 0 ? <Text c="dimmed">{t('none')}</Text> : <SendTable sends={sends} outcomes={outcomes} />}
      <div>
        <TextLink href="/owner/sends">{t('allSends')}</TextLink>
      </div>
    </Section>
  );
}
