import { ErrorTables } from '#app/docs/errors/error-tables.tsx';
import { DocsPage, describeText } from '#app/docs/frame/docs-page.tsx';
import { listErrors, statusTitle } from '#app/docs/texts/errors.ts';
import { currentLanguage } from '#app/language/i18n.ts';

export const generateMetadata = () => describeText('errors');

export default async function Errors() {
  const language = await currentLanguage();
  const groups = (await listErrors(language)).map(async ({ status }) => ({
    id: `status-${status}`,
    title: await statusTitle(status, language),
    depth: 2,
  }));
  return (
    <DocsPage slug="errors" more={await Promise.all(groups)}>
      <ErrorTables />
    </DocsPage>
  );
}
