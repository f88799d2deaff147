import { Badge, Group, Stack, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Section } from '#app/ui/frame/section.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { countOutOfReach } from '#server/companies/overview.ts';
import type { Owner } from '#server/principals.ts';

const reasons = ['noAccount', 'neverSeen', 'notSeenLately', 'noSound'] as const;
const filters = {
  noAccount: 'account=none',
  neverSeen: 'account=own&portal=never',
  notSeenLately: 'portal=away',
  noSound: 'portal=silent',
};

/** How many active employees a send reaches, and why it may not reach the others. */
export async function Reach({ owner }: { owner: Owner }) {
  const t = await getTranslations('owner.reach');
  const counts = await countOutOfReach(owner);
  const missing = reasons.filter((reason) => counts[reason] > 0);
  const reached = counts.active - missing.reduce((sum, reason) => sum + counts[reason], 0);
  return (
    <Section id="reach" title={t('title')}>
      <Text>{t('reached', { reached, active: counts.active })}</Text>
      <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: 'none' }}>
        {missing.map((reason) => (
          <Group component="li" key={reason} gap="sm" wrap="nowrap" justify="space-between">
            <div>
              <TextLink href={`/owner/employees?state=active&${filters[reason]}`}>{t(`${reason}.title`)}</TextLink>
              <Text size="sm" c="dimmed">
                {t(`${reason}.cure`)}
              </Text>
            </div>
            <Badge color="yellow">{counts[reason]}</Badge>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
