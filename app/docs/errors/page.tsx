import { getTranslations } from 'next-intl/server';
import { ErrorTables, MistakeTable, statusTitle } from '#app/docs/errors/error-tables.tsx';
import { listErrors } from '#app/docs/errors/rows.ts';
import { describeText } from '#app/docs/page-title.ts';
import { Reading } from '#app/docs/reading.tsx';

export const generateMetadata = () => describeText('errors');

export default async function Errors() {
  const statuses = listErrors('en').map(({ status }) => status);
  const more = statuses.map(async (status) => ({ id: `status-${status}`, title: await statusTitle(status), depth: 2 }));
  const t = await getTranslations('docs');
  const mistakes = { id: 'mistakes', title: t('mistakes'), depth: 2 };
  return (
    <Reading slug="errors" more={[...(await Promise.all(more)), mistakes]}>
      <ErrorTables />
      <MistakeTable />
    </Reading>
  );
}
