import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { ExportProgress } from '#app/owner/settings/export/export-progress.tsx';
import { asExportState, getExportTexts } from '#app/owner/settings/export-state.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findExport } from '#server/exports/exports.ts';

export const generateMetadata = titled('exports', 'title');

export default async function ExportPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const owner = await requireOwner(`/owner/settings/export/${encodeURIComponent(id)}`);
  const exported = await findExport(owner, id, await getExportTexts(owner));
  if (!exported) notFound();
  const t = await getTranslations('exports');
  return (
    <>
      <PageHead
        back={{ href: '/owner/settings/data#export', text: t('back') }}
        title={t('title')}
        lead={t('watchLead')}
      />
      <ExportProgress id={id} initial={asExportState(exported)} />
    </>
  );
}
