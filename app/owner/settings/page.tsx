import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { LanguageChoice } from '#app/language/language-choice.tsx';
import { LeaveManagement } from '#app/owner/settings/owners/invite-owner.tsx';
import { SearchKeySwitch } from '#app/owner/settings/search-key-switch.tsx';
import { SettingsPage, settingsTitle } from '#app/owner/settings/settings-page.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { PasswordForm } from '#app/ui/sessions/password-form.tsx';
import { SessionList } from '#app/ui/sessions/session-list.tsx';
import { requireManager, requireSession } from '#server/accounts/sign-in/require.ts';
import type { Session } from '#server/principals.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: await settingsTitle('account') };
}

export default async function AccountSettings() {
  await requireManager('/owner/settings');
  const [session, t] = await Promise.all([requireSession(), getTranslations('settings')]);
  const lead = <bdi>{t('signedInAs', { username: session.account.username })}</bdi>;
  return (
    <SettingsPage current="account" hasTabs={session.owner !== null} lead={lead}>
      <OwnSettings session={session} />
    </SettingsPage>
  );
}

/**
 * The settings of the signed-in account itself: language, devices where it is signed in, password; for
 * a manager also the way out. An owner has that beside the other owners.
 */
async function OwnSettings({ session }: { session: Session }) {
  const t = await getTranslations();
  return (
    <>
      <Section id="language" title={t('app.language')} lead={t('settings.languageLead')}>
        <LanguageChoice />
        <SearchKeySwitch />
      </Section>
      <Section id="sessions" title={t('sessions.title')} lead={t('sessions.lead')}>
        <SessionList session={session} />
      </Section>
      <PasswordForm username={session.account.username} />
      {!session.owner && (
        <Section id="leave" title={t('owners.leaveManager')} lead={t('owners.leaveManagerLead')}>
          <div>
            <LeaveManagement rights="manager" />
          </div>
        </Section>
      )}
    </>
  );
}
