import { getTranslations } from 'next-intl/server';
import { JoinForm } from '#app/join/[token]/join-form.tsx';
import { secretAddress, titled } from '#app/language/page-title.ts';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { findLogo } from '#server/companies/logo.ts';
import { findJoinLink } from '#server/employees/join-links.ts';

export const generateMetadata = titled('join', 'pageTitle', secretAddress);

export default async function Join({ params }: { params: Promise<{ token: string }> }) {
  const t = await getTranslations('join');
  const { token } = await params;
  const link = await findJoinLink(token);
  if (!link) return <PublicPage title={t('invalidTitle')} text={t('invalidText')} />;
  const logo = await findLogo(link);
  const { companyName: company, asksRole } = link;
  return (
    <PublicPage
      logo={logo && { ...logo, src: `/join/${token}/logo` }}
      title={t('title', { company })}
      lead={t('lead', { company })}
    >
      <Texts of={['join']}>
        <JoinForm token={token} asksRole={asksRole} />
      </Texts>
    </PublicPage>
  );
}
