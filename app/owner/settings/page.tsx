import { getTranslations } from 'next-intl/server';
import { leaveManagersAction, renameAccountAction } from '#app/owner/settings/actions.ts';
import { RecoveryCodes } from '#app/owner/settings/recovery-codes.tsx';
import { SettingsPage } from '#app/owner/settings/settings-page.tsx';
import { type AccountQuery, AccountSections } from '#app/signed-in/account-sections.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { ConfirmedAction } from '#app/ui/sessions/form-dialog.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { countRecoveryCodes } from '#server/accounts/owners/second-factor.ts';
import { requireManager, requireSession } from '#server/accounts/sign-in/require.ts';

export const generateMetadata = titled('nav', 'account');

/** The settings of the signed-in account. An owner gives up the rights beside the other owners. */
export default async function AccountSettings({ searchParams }: { searchParams: AccountQuery }) {
  await requireManager('/owner/settings');
  const [session, t] = await Promise.all([requireSession(), getTranslations()]);
  const { account, owner } = session;
  const recovery = owner && <RecoveryCodes left={await countRecoveryCodes(owner)} />;
  return (
    <SettingsPage name="account" lead={<bdi>{t('settings.signedInAs', { username: account.username })}</bdi>}>
      <Section id="name" title={t('settings.name')} quiet>
        <SavedForm action={renameAccountAction} saved={t('settings.saved')}>
          <TextField
            name="name"
            label={t('settings.name')}
            description={t('settings.ownerNameHint')}
            defaultValue={account.name}
            autoComplete="name"
          />
        </SavedForm>
      </Section>
      <AccountSections session={session} query={searchParams} recovery={recovery} />
      {!owner && (
        <Section id="leave" title={t('owners.leaveManager')} lead={t('owners.leaveManagerLead')}>
          <ConfirmedAction
            action={leaveManagersAction}
            input={null}
            leadsTo="/login"
            title={t('owners.leaveManagerTitle')}
            submit={t('owners.leaveManager')}
            text={t('owners.leaveManagerText')}
          />
        </Section>
      )}
    </SettingsPage>
  );
}
