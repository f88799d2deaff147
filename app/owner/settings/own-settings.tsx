import { getTranslations } from 'next-intl/server';
import { LanguageChoice } from '#app/language/language-choice.tsx';
import { LeaveManagement } from '#app/owner/settings/owners/leave-management.tsx';
import { SearchKeySwitch } from '#app/owner/settings/search-key-switch.tsx';
import { Section } from '#app/ui/frame/section.tsx';
import { PasswordForm } from '#app/ui/sessions/password-form.tsx';
import { SessionList } from '#app/ui/sessions/session-list.tsx';
import type { Session } from '#server/principals.ts';

/**
 * The settings of the signed-in account itself: language, devices where it is signed in, password; for
 * a manager also the way out. An owner has that beside the other owners.
 */
export async function OwnSettings({ session }: { session: Session }) {
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
