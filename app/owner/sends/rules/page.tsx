import { Stack, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { KindRules } from '#app/owner/sends/rules/kind-rules.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findMustConfirmKinds } from '#server/companies/companies.ts';

export const generateMetadata = titled('mustRead', 'title');

export default async function MustReadRules() {
  const owner = await requireOwner('/owner/sends/rules');
  const [t, chosen] = await Promise.all([getTranslations('mustRead'), findMustConfirmKinds(owner)]);
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <Stack>
        <Section id="kinds" title={t('kinds')} lead={t('kindsLead')}>
          <KindRules chosen={chosen} />
        </Section>
        <Section id="key" title={t('byKey')} lead={t('byKeyLead')}>
          <Text>
            <TextLink href="/owner/keys">{t('toKeys')}</TextLink>
          </Text>
        </Section>
      </Stack>
    </>
  );
}
