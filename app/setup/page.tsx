import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { SetupForm } from '#app/setup/setup-form.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { env } from '#platform/config/settings.ts';
import { hasOwner } from '#server/companies/companies.ts';

export const dynamic = 'force-dynamic';

export const generateMetadata = titled('setup', 'title');

export default async function Setup() {
  const isFirst = !(await hasOwner());
  const isOpen = env().SIGN_UP === 'open';
  if (!isFirst && !isOpen) notFound();
  const t = await getTranslations('setup');
  return (
    <PublicPage title={t('title')} lead={t('lead')} texts={['setup']}>
      <SetupForm askCode={isFirst && !isOpen} zones={Intl.supportedValuesOf('timeZone')} />
    </PublicPage>
  );
}
