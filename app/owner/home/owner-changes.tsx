import { Stack, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { makeDescriber } from '#app/owner/audit/describe.ts';
import { Section } from '#app/ui/frame/section.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { listOwnerChanges } from '#server/accounts/owner-changes.ts';
import type { Owner } from '#server/principals.ts';

/** What others changed about the owners in the last 7 days; nothing if there was nothing. */
export async function OwnerChanges({ owner }: { owner: Owner }) {
  const changes = await listOwnerChanges(owner);
  if (changes.length === 0) return null;
  const [t, describer] = await Promise.all([getTranslations('owner.changes'), makeDescriber()]);
  return (
    <Section id="owner-changes" title={t('title')} lead={t('lead')}>
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {changes.map((entry) => (
          <li key={entry.id}>
            <Text component="bdi" display="block" fw={600} className="wrapping">
              {describer.event(entry)}
            </Text>
            <Text size="sm" c="dimmed">
              <bdi>{describer.actor(entry)}</bdi> · <Moment at={entry.at} />
            </Text>
          </li>
        ))}
      </Stack>
      <div>
        <TextLink href="/owner/settings/access">{t('owners')}</TextLink>
      </div>
    </Section>
  );
}
