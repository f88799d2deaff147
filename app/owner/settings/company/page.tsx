import { getTranslations } from 'next-intl/server';
import { changeCompanyAction, changeEmbedOriginsAction, changeLinkBaseAction } from '#app/owner/settings/actions.ts';
import { LogoForm } from '#app/owner/settings/settings-forms.tsx';
import { SettingsPage } from '#app/owner/settings/settings-page.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { LongTextField } from '#app/ui/forms/long-text-field.tsx';
import { ZoneField } from '#app/ui/forms/zone-field.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { env } from '#platform/config/settings.ts';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findSettings } from '#server/audit/record.ts';

const address = {
  placeholder: 'https://hr.example.com',
  inputMode: 'url',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;

export const generateMetadata = titled('nav', 'company');

export default async function CompanySettings() {
  const owner = await requireOwner('/owner/settings/company');
  const { linkBase, embedOrigins } = await findSettings(owner, ['linkBase', 'embedOrigins']);
  const [t, setup] = await Promise.all([getTranslations('settings'), getTranslations('setup')]);
  const problems = (section: string, names: string[]) =>
    Object.fromEntries(names.map((name) => [name, t(`${section}.${name}` as 'linkBaseProblem.not-https')]));
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <SettingsPage name="company">
      <Section id="company" title={t('companyTitle')}>
        <LogoForm />
        <SavedForm action={changeCompanyAction} saved={t('saved')}>
          <TextField
            name="companyName"
            label={setup('companyName')}
            defaultValue={owner.companyName}
            autoComplete="organization"
          />
          <ZoneField name="timeZone" description={t('zoneHint')} defaultValue={owner.timeZone} zones={zones} />
        </SavedForm>
      </Section>
      <Section id="links" title={t('linkBaseTitle')} lead={t('linkBaseLead')}>
        <SavedForm
          action={changeLinkBaseAction}
          sentences={problems('linkBaseProblem', ['not-an-address', 'not-https', 'has-more', 'odd-host'])}
          saved={t('saved')}
        >
          <TextField
            {...address}
            name="linkBase"
            label={t('linkBase')}
            description={t('linkBaseHint')}
            defaultValue={linkBase ?? ''}
            required={false}
          />
        </SavedForm>
      </Section>
      <Section id="bell" title={t('embedTitle')} lead={t('embedLead')}>
        <SavedForm
          action={changeEmbedOriginsAction}
          sentences={problems('embedProblem', ['not-an-origin', 'odd-host', 'too-many'])}
          saved={t('saved')}
        >
          <LongTextField
            {...address}
            name="embedOrigins"
            label={t('embedOrigins')}
            description={t('embedOriginsHint')}
            defaultValue={embedOrigins.join('\n')}
          />
        </SavedForm>
        {embedOrigins.length > 0 && (
          <CopyField
            label={t('embedSnippet')}
            value={`<script src="${env().APP_URL}/embed.js" async></script><staff-notifications></staff-notifications>`}
            copyLabel={t('embedCopy')}
          />
        )}
        <TextLink href="/docs/bell">{t('embedDocs')}</TextLink>
      </Section>
    </SettingsPage>
  );
}
