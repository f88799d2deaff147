'use client';

import { Alert, List, ListItem, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useOriginText } from '#app/owner/keys/call-texts.ts';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import type { RevokedKey } from '#server/keys/key-overview.ts';

/** A warning about revoked keys that are still used: time and origin of the last call. */
export function RevokedKeysInUse({ keys }: { keys: RevokedKey[] }) {
  const t = useTranslations('keys');
  const originOf = useOriginText();
  if (keys.length === 0) return null;
  return (
    <Alert color="orange" mb="lg" icon={<TriangleAlert aria-hidden />} title={t('calling')} role="note">
      <Text size="sm">{t('callingText')}</Text>
      <List size="sm" mt="xs" listStyleType="none" className="wrapping">
        {keys.map(({ id, name, lastCall }) => (
          <ListItem key={id} data-calling={name}>
            {t.rich('callingLineRich', {
              name: () => (
                <Text component="bdi" fw={600}>
                  {name}
                </Text>
              ),
              when: () => lastCall && <TimeAgo at={lastCall.at} />,
              from: lastCall ? originOf(lastCall) : '',
            })}{' '}
            <TextLink href={`/owner/audit/refused?key=${id}`}>{t('callingWhy')}</TextLink>
          </ListItem>
        ))}
      </List>
    </Alert>
  );
}
