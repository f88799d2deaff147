import { Stack, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { KindRules } from '#app/owner/sends/rules/kind-rules.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { Section } from '#app/ui/frame/section.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { findMustConfirmKinds } from '#server/companies/rules.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('mustRead'))('title') };
}

export default async function MustReadRules() {
  const owner = await requireOwner('/owner/sends/rules');
  const [t, sends, chosen] = await Promise.all([
    getTranslations('mustRead'),
    getTranslations('sends'),
    findMustConfirmKinds(owner),
  ]);
  return (
    <>
      <TextLink href="/owner/sends">{sends('back')}</TextLink>
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
