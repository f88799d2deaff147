'use client';

import { Alert, Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useNow, useTranslations } from 'next-intl';
import { LastCall } from '#app/owner/keys/activity/call.tsx';
import type { KeyOverview, KeyReplacement } from '#server/keys/key-overview.ts';

const colors = { waiting: 'gray', both: 'yellow', elsewhere: 'yellow', moved: 'green' };
const dayMs = 24 * 60 * 60 * 1000;

/** The replacements in progress: which key is used, and a button to revoke the old one. */
export function KeyReplacements({
  replacements,
  onRevoke,
}: {
  replacements: KeyReplacement[];
  onRevoke: (apiKey: KeyOverview) => void;
}) {
  const t = useTranslations('keys');
  if (replacements.length === 0) return null;
  return (
    <section aria-labelledby="pairs">
      <Title order={2} size="h4" id="pairs" mb="sm">
        {t('pairs')}
      </Title>
      <Stack mb="xl">
        {replacements.map((replacement) => (
          <Replacement key={replacement.to.id} replacement={replacement} onRevoke={() => onRevoke(replacement.from)} />
        ))}
      </Stack>
    </section>
  );
}

type ReplacementProps = { replacement: KeyReplacement; onRevoke: () => void };

function Replacement({ replacement: { from, to, state }, onRevoke }: ReplacementProps) {
  const t = useTranslations('keys');
  const now = useNow();
  const wasOldKeyUsedRecently =
    state === 'moved' && from.lastUse && now.getTime() - new Date(from.lastUse.at).getTime() < dayMs;
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
        <KeyUsage title={t('oldKey')} apiKey={from} />
        <KeyUsage title={t('newKey')} apiKey={to} />
      </SimpleGrid>
      {wasOldKeyUsedRecently && (
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

function KeyUsage({ title, apiKey }: { title: string; apiKey: KeyOverview }) {
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
