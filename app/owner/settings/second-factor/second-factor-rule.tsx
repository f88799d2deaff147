import { getTranslations } from 'next-intl/server';
import { SecondFactorForm } from '#app/owner/settings/second-factor/second-factor-forms.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { findSecondFactorDay } from '#server/accounts/owners/second-factor.ts';
import { findRelyingParty } from '#server/accounts/sign-in/passkeys.ts';
import type { Owner } from '#server/principals.ts';

/** The section in which an owner requires a second factor; nothing where APP_URL allows no passkeys. */
export async function SecondFactorRule({ owner }: { owner: Owner }) {
  if (!findRelyingParty()) return null;
  const t = await getTranslations('passkeys');
  return (
    <Section id="second-factor" title={t('requireTitle')} lead={t('requireLead')}>
      <Texts of={['passkeys']}>
        <SecondFactorForm day={await findSecondFactorDay(owner)} />
      </Texts>
    </Section>
  );
}
