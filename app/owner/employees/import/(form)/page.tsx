import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ImportForm } from '#app/owner/employees/import/import-form.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { TextLink } from '#app/ui/text-link.tsx';
import { mostImportRows } from '#server/imports.ts';
import { requireOwner } from '#server/require.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('imports'))('title') };
}

export default async function Import() {
  await requireOwner('/owner/employees/import');
  const [t, employees] = [await getTranslations('imports'), await getTranslations('employees')];
  return (
    <>
      <TextLink href="/owner/employees">{employees('back')}</TextLink>
      <PageHead title={t('title')} lead={t('lead', { most: mostImportRows })} />
      <ImportForm most={mostImportRows} />
    </>
  );
}
