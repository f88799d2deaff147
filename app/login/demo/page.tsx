import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { DemoSignIn } from '#app/login/demo/demo-sign-in.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { secretAddress, titled } from '#app/ui/text/texts.tsx';
import { isTrial } from '#platform/config/settings.ts';

export const dynamic = 'force-dynamic';

export const generateMetadata = titled('login', 'title', secretAddress);

export default async function DemoLogin() {
  if (!isTrial()) notFound();
  const t = await getTranslations('demoLink');
  return (
    <PublicPage title={t('title')} lead={t('lead')}>
      <DemoSignIn />
    </PublicPage>
  );
}
