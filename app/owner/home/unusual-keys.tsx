import { Stack, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Section } from '#app/ui/frame/section.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { type KeyToCheck, listKeysToCheck } from '#server/companies/overview.ts';
import type { Owner } from '#server/principals.ts';

/** Keys that behave oddly, each with what was seen; nothing when there are none. */
export async function UnusualKeys({ owner }: { owner: Owner }) {
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
              <What odd={key} />
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

async function What({ odd }: { odd: KeyToCheck }) {
  const t = await getTranslations('owner.odd');
  if (odd.what === 'refused') return t('refusedText', { count: odd.count, requests: odd.requests });
  if (odd.what === 'revoked-calling')
    return t.rich('callingText', { count: odd.count, address: odd.address, when: () => <Moment at={odd.at} /> });
  const { at } = odd;
  return at ? t.rich('unusedText', { when: () => <Moment at={at} /> }) : t('neverText');
}
