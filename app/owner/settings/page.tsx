import { getTranslations } from 'next-intl/server';
import { AccountFields } from '#app/owner/settings/account-fields.tsx';
import { LeaveManagement } from '#app/owner/settings/owners/invite-owner.tsx';
import { RecoveryCodes } from '#app/owner/settings/second-factor/second-factor-forms.tsx';
import { SettingsPage, settingsTitle } from '#app/owner/settings/settings-page.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { IdentitySection } from '#app/ui/sessions/identity-section.tsx';
import { PasskeySection } from '#app/ui/sessions/passkey-list.tsx';
import { PasswordForm } from '#app/ui/sessions/password-form.tsx';
import { SessionList } from '#app/ui/sessions/session-list.tsx';
import { countRecoveryCodes } from '#server/accounts/owners/second-factor.ts';
import { hasPassword } from '#server/accounts/sign-in/identities.ts';
import { requireManager, requireSession } from '#server/accounts/sign-in/require.ts';

export const generateMetadata = settingsTitle('account');

type Query = { identity?: string | string[] };

/** The settings of the signed-in account. An owner gives up the rights beside the other owners. */
export default async function AccountSettings({ searchParams }: { searchParams: Promise<Query> }) {
  await requireManager('/owner/settings');
  const [session, t] = await Promise.all([requireSession(), getTranslations()]);
  const { username } = session.account;
  const lead = <bdi>{t('settings.signedInAs', { username })}</bdi>;
  return (
    <SettingsPage current="account" hasTabs={session.owner !== null} lead={lead}>
      <Section id="language" title={t('app.language')} lead={t('settings.languageLead')}>
        <AccountFields />
      </Section>
      <Section id="sessions" title={t('sessions.title')} lead={t('sessions.lead')}>
        <SessionList session={session} />
      </Section>
      <PasskeySection account={session.account}>
        {session.owner && <RecoveryCodes left={await countRecoveryCodes(session.owner)} />}
      </PasskeySection>
      <IdentitySection account={session.account} outcome={(await searchParams).identity} />
      {(await hasPassword(session.account)) && <PasswordForm username={username} />}
      {!session.owner && (
        <Section id="leave" title={t('owners.leaveManager')} lead={t('owners.leaveManagerLead')}>
          <div>
            <LeaveManagement rights="manager" />
          </div>
        </Section>
      )}
    </SettingsPage>
  );
}
