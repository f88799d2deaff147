import { getTranslations } from 'next-intl/server';
import { ImportForm } from '#app/owner/employees/import/import-form.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { maxImportRows } from '#server/employees/imports.ts';

export const generateMetadata = titled('imports', 'title');

export default async function Import() {
  await requireManager('/owner/employees/import');
  const t = await getTranslations();
  return (
    <>
      <PageHead
        back={{ href: '/owner/employees', text: t('employees.back') }}
        title={t('imports.title')}
        lead={t('imports.lead', { most: maxImportRows })}
      />
      <ImportForm maxRows={maxImportRows} />
    </>
  );
}
