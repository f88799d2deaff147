import { Stack, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Section } from '#app/ui/frame/section.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { type KeyToCheck, listKeysToCheck } from '#server/companies/overview.ts';
import type { Owner } from '#server/principals.ts';

/** The keys that the owner should check and the reason for each; nothing if there are none. */
export async function KeysToCheck({ owner }: { owner: Owner }) {
  const t = await getTranslations('owner.odd');
  const keys = await listKeysToCheck(owner);
  if (keys.length === 0) return null;
  return (
    <Section id="odd-keys" title={t('title')}>
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {keys.map((key) => (
          <li key={key.id}>
            <Text component="bdi" display="block" fw={600}>
              {key.name}
            </Text>
            <Text size="sm">
              <ReasonToCheck apiKey={key} />
            </Text>
          </li>
        ))}
      </Stack>
      <div>
        <TextLink href="/owner/keys">{t('all')}</TextLink>
        {' · '}
        <TextLink href="/owner/audit/refused">{t('refused')}</TextLink>
      </div>
    </Section>
  );
}

async function ReasonToCheck({ apiKey }: { apiKey: KeyToCheck }) {
  const t = await getTranslations('owner.odd');
  if (apiKey.what === 'refused') return t('refusedText', { count: apiKey.count, requests: apiKey.requests });
  if (apiKey.what === 'revoked-calling')
    return t.rich('callingText', {
      count: apiKey.count,
      address: apiKey.address,
      when: () => <Moment at={apiKey.at} />,
    });
  const { at } = apiKey;
  return at ? t.rich('unusedText', { when: () => <Moment at={at} /> }) : t('neverText');
}
