import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { ExportProgress } from '#app/owner/settings/export/export-progress.tsx';
import { asExportState } from '#app/owner/settings/export/export-state.ts';
import { getExportTexts } from '#app/owner/settings/export/export-texts.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { findExport } from '#server/exports/exports.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('exports'))('title') };
}

export default async function ExportPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const owner = await requireOwner(`/owner/settings/export/${encodeURIComponent(id)}`);
  const exported = await findExport(owner, id, await getExportTexts(owner));
  if (!exported) notFound();
  const t = await getTranslations('exports');
  return (
    <>
      <PageHead title={t('title')} lead={t('watchLead')} />
      <ExportProgress id={id} initial={asExportState(exported)} />
      <TextLink href="/owner/settings/company#export" mt="md">
        {t('back')}
      </TextLink>
    </>
  );
}
