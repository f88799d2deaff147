import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { JoinPoster } from '#app/owner/employees/join/poster/join-poster.tsx';
import { pictureOf } from '#app/ui/frame/company-logo.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { env } from '#platform/config/settings.ts';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { findLogo } from '#server/companies/logo.ts';

export const generateMetadata = titled('joins', 'poster');

/** A poster with the QR code of a join link. Its token is behind the `#`, which no server sees. */
export default async function Poster() {
  const manager = await requireManager('/owner/employees/join');
  const [t, logo] = await Promise.all([getTranslations('joins'), findLogo(manager)]);
  return (
    <Texts of={['joins']}>
      <div className="no-print">
        <TextLink href="/owner/employees/join">{t('back')}</TextLink>
      </div>
      <JoinPoster company={manager.companyName} logo={pictureOf(logo)} base={`${env().APP_URL}/join/`} />
    </Texts>
  );
}
