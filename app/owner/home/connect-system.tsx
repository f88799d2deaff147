import { Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Section } from '#app/ui/frame/section.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';

/** Offers a company without any key to connect a system that sends by itself. */
export async function ConnectSystem() {
  const t = await getTranslations('owner.connect');
  return (
    <Section id="connect" title={t('title')}>
      <Text size="sm">{t('text')}</Text>
      <div>
        <TextLink href="/owner/keys">{t('go')}</TextLink>
      </div>
    </Section>
  );
}
