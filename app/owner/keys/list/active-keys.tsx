'use client';

import { Alert, Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useFormatter, useNow, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { LastCall, useOriginText } from '#app/owner/keys/activity/call.tsx';
import { type KeyAction, KeyDialog, KeyMenu } from '#app/owner/keys/dialogs/key-dialogs.tsx';
import { useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { Cell, ListRow, ListTable, Note, RowLink } from '#app/ui/lists/list-table.tsx';
import { SparkLine } from '#app/ui/pictures/pictures.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import type { KeyOverview, KeyReplacement } from '#server/keys/key-overview.ts';

type ActiveKeysProps = { keys: KeyOverview[]; replacements: KeyReplacement[]; baseUrl: string };

export function ActiveKeys({ keys, replacements, baseUrl }: ActiveKeysProps) {
  const t = useTranslations('keys');
  const [chosen, open, onClose] = useOpenDialog<{ action: KeyAction; apiKey: KeyOverview }>();
  const choose = (action: KeyAction, apiKey: KeyOverview) => open({ action, apiKey });
  const names = keys.map(({ name }) => name);
  const columns = [
    { name: t('name'), width: 'minmax(0, 5fr)' },
    { name: t('traffic'), width: '128px' },
    { name: t('requestsHead'), width: '190px' },
    { name: t('lastUsed'), width: 'minmax(0, 5fr)' },
    { name: t('state'), width: 'minmax(0, 4fr)' },
    { name: t('actions'), width: '48px', quiet: true },
  ];
  return (
    <>
      {keys.length === 0 ? (
        <EmptyState icon={<KeyRound aria-hidden size={32} />} title={t('empty')} text={t('emptyText')} />
      ) : (
        <>
          {replacements.length > 0 && (
            <section aria-labelledby="pairs">
              <Title order={2} size="h4" id="pairs" mb="sm">
                {t('pairs')}
              </Title>
              <Stack mb="xl">
                {replacements.map((pair) => (
                  <Replacement key={pair.to.id} replacement={pair} onRevoke={() => choose('revoke', pair.from)} />
                ))}
              </Stack>
            </section>
          )}
          <ListTable label={t('title')} columns={columns}>
            {keys.map((key) => (
              <KeyRow
                key={key.id}
                apiKey={key}
                replaces={keys.find(({ id }) => id === key.replacesId)?.name}
                onChoose={choose}
              />
            ))}
          </ListTable>
        </>
      )}
      {chosen && <KeyDialog {...chosen} names={names} baseUrl={baseUrl} onClose={onClose} />}
    </>
  );
}

type Choose = (action: KeyAction, apiKey: KeyOverview) => void;

function KeyRow({ apiKey, replaces, onChoose }: { apiKey: KeyOverview; replaces?: string; onChoose: Choose }) {
  const t = useTranslations('keys');
  const originOf = useOriginText();
  const { id, name, requests, refused, hourly, expiry, lastUse } = apiKey;
  const flag = useFlag(apiKey, replaces);
  return (
    <ListRow data-key={name} faded={expiry?.state === 'expired'}>
      <Cell at="main">
        <RowLink href={`/owner/keys/${id}`}>{name}</RowLink>
      </Cell>
      <Cell at="aside">
        {requests > 0 && <SparkLine label={t('sparkLabel', { count: requests })} values={hourly} />}
      </Cell>
      <Cell>
        <span>{t('requests', { count: requests })}</span>
        {refused > 0 && (
          <>
            {' · '}
            <PageLink
              style={{ color: 'var(--attention)' }}
              href={`/owner/audit/refused?key=${id}`}
              aria-label={t('refusedOf', { count: refused, name })}
            >
              {t('refusedCount', { count: refused })}
            </PageLink>
          </>
        )}
      </Cell>
      <Cell at="second">
        <span>
          {flag && (
            <span className="mantine-hidden-from-sm">
              {flag}
              {' · '}
            </span>
          )}
          {lastUse ? (
            <>
              <ShortTime at={lastUse.at} />{' '}
              <span className="dimmed" title={originOf(lastUse)}>
                {originOf(lastUse)}
              </span>
            </>
          ) : (
            t('never')
          )}
        </span>
      </Cell>
      <Cell>{flag}</Cell>
      <Cell at="menu">
        <KeyMenu name={name} onChoose={(action) => onChoose(action, apiKey)} />
      </Cell>
    </ListRow>
  );
}

// What is unusual about a key, in a few words; null for a key that simply works.
function useFlag({ expiry, unused }: KeyOverview, replaces?: string): ReactNode {
  const t = useTranslations('keys');
  const format = useFormatter();
  const flag = (text: string, tone?: 'attention') => <Note tone={tone}>{text}</Note>;
  if (expiry && expiry.state !== 'later') {
    const day = format.dateTime(new Date(`${expiry.on}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });
    return flag(t(expiry.state === 'expired' ? 'expiredOn' : 'expiresSoon', { day }), 'attention');
  }
  if (unused) return flag(t('unused'), 'attention');
  return replaces === undefined ? null : flag(t('replaces', { name: replaces }));
}

const colors = { waiting: 'gray', both: 'yellow', elsewhere: 'yellow', moved: 'green' };
const dayMs = 24 * 60 * 60 * 1000;

type ReplacementProps = { replacement: KeyReplacement; onRevoke: () => void };

// Which key of a replacement in progress is used, and a button to revoke the old one.
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
