'use client';

import { Alert, Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useNow, useTranslations } from 'next-intl';
import { LastCall } from '#app/owner/keys/last-call.tsx';
import type { KeyOverview, KeyPair } from '#server/keys/key-overview.ts';

const colors = { waiting: 'gray', both: 'yellow', elsewhere: 'yellow', moved: 'green' };
const dayMs = 24 * 60 * 60 * 1000;

/** The replacements in progress: which key gets the traffic, and a button to end the old one. */
export function KeyPairs({ pairs, onRevoke }: { pairs: KeyPair[]; onRevoke: (apiKey: KeyOverview) => void }) {
  const t = useTranslations('keys');
  if (pairs.length === 0) return null;
  return (
    <section aria-labelledby="pairs">
      <Title order={2} size="h4" id="pairs" mb="sm">
        {t('pairs')}
      </Title>
      <Stack mb="xl">
        {pairs.map((pair) => (
          <Pair key={pair.to.id} pair={pair} onRevoke={() => onRevoke(pair.from)} />
        ))}
      </Stack>
    </section>
  );
}

function Pair({ pair: { from, to, state }, onRevoke }: { pair: KeyPair; onRevoke: () => void }) {
  const t = useTranslations('keys');
  const now = useNow();
  const usedToday = state === 'moved' && from.lastUse && now.getTime() - new Date(from.lastUse.at).getTime() < dayMs;
  return (
    <Card withBorder data-pair={to.name} data-state={state}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={3} size="h5" className="wrapping">
          {t('pairTitle', { from: from.name, to: to.name })}
        </Title>
        <Badge
          color={colors[state]}
          variant={state === 'moved' ? 'light' : 'dot'}
          h="auto"
          styles={{ label: { whiteSpace: 'normal', overflow: 'visible', paddingBlock: 4 } }}
          miw={0}
        >
          {t(`pair.${state}`)}
        </Badge>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm">
        <Side title={t('oldKey')} apiKey={from} />
        <Side title={t('newKey')} apiKey={to} />
      </SimpleGrid>
      {usedToday && (
        <Alert color="blue" mt="sm" role="note">
          {t('pairSoon')}
        </Alert>
      )}
      <Group justify="flex-end" mt="sm">
        <Button
          variant={state === 'moved' ? 'filled' : 'light'}
          color="red"
          aria-label={t('revokeOldNamed', { name: from.name })}
          onClick={onRevoke}
        >
          {t('revokeOld')}
        </Button>
      </Group>
    </Card>
  );
}

function Side({ title, apiKey }: { title: string; apiKey: KeyOverview }) {
  const t = useTranslations('keys');
  return (
    <div>
      <Text size="sm" fw={600} className="wrapping">
        {title}: <bdi>{apiKey.name}</bdi>
      </Text>
      <Text size="sm" component="div">
        {t('lastUsed')}: {apiKey.lastUse ? <LastCall call={apiKey.lastUse} /> : t('never')}
      </Text>
      <Text size="sm">
        {t('traffic')}: {t('requests', { count: apiKey.requests })}
      </Text>
    </div>
  );
}
