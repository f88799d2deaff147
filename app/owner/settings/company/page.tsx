import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { LogoForm } from '#app/owner/settings/logo-form.tsx';
import { CompanyForm, EmbedForm, LinkBaseForm } from '#app/owner/settings/settings-forms.tsx';
import { SettingsPage } from '#app/owner/settings/settings-page.tsx';
import { pictureOf } from '#app/ui/frame/company-logo.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import { env } from '#platform/config/settings.ts';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findEmbedOrigins, findLinkBase } from '#server/companies/link-base.ts';
import { findLogo } from '#server/companies/logo.ts';

export const generateMetadata = titled('nav', 'company');

export default async function CompanySettings() {
  const owner = await requireOwner('/owner/settings/company');
  const [t, logo, linkBase, embedOrigins] = await Promise.all([
    getTranslations('settings'),
    findLogo(owner),
    findLinkBase(owner),
    findEmbedOrigins(owner),
  ]);
  return (
    <SettingsPage name="company">
      <Section id="company" title={t('companyTitle')}>
        <LogoForm logo={pictureOf(logo)} company={owner.companyName} />
        <CompanyForm
          companyName={owner.companyName}
          timeZone={owner.timeZone}
          zones={Intl.supportedValuesOf('timeZone')}
        />
      </Section>
      <Section id="links" title={t('linkBaseTitle')} lead={t('linkBaseLead')}>
        <LinkBaseForm linkBase={linkBase} />
      </Section>
      <Section id="bell" title={t('embedTitle')} lead={t('embedLead')}>
        <EmbedForm origins={embedOrigins} baseUrl={env().APP_URL} />
        <PageLink href="/docs/bell">{t('embedDocs')}</PageLink>
      </Section>
    </SettingsPage>
  );
}
