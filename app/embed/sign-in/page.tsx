import { getTranslations } from 'next-intl/server';
import { HandOver } from '#app/embed/sign-in/hand-over.tsx';
import { titled } from '#app/language/page-title.ts';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { requireEmployee } from '#server/accounts/sign-in/require.ts';

export const generateMetadata = titled('embed', 'connectTitle');

/** The window in which a person signs in for a bell in another site's page. */
export default async function SignInForBell() {
  await requireEmployee('/embed/sign-in');
  const t = await getTranslations('embed');
  return (
    <PublicPage title={t('connectTitle')}>
      <Texts of={['embed']}>
        <HandOver />
      </Texts>
    </PublicPage>
  );
}
