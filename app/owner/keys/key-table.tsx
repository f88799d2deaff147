'use client';

import { Alert, Badge, Button, Code, Group, Stack, Table, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { revokeKeyAction } from '#app/owner/keys/actions.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Moment } from '#app/ui/moment.tsx';
import { TimeAgo } from '#app/ui/time-ago.tsx';
import { useAction } from '#app/ui/use-action.ts';
import type { KeySummary } from '#server/keys.ts';

/** The company's keys; revoking asks first and says what will happen. */
export function KeyTable({ keys }: { keys: KeySummary[] }) {
  const t = useTranslations('keys');
  const [revoking, setRevoking] = useState<KeySummary>();
  if (keys.length === 0)
    return <EmptyState icon={<KeyRound aria-hidden size={32} />} title={t('empty')} text={t('emptyText')} />;
  return (
    <>
      <Table className="rows" verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('name')}</Table.Th>
            <Table.Th scope="col">{t('fingerprint')}</Table.Th>
            <Table.Th scope="col">{t('created')}</Table.Th>
            <Table.Th scope="col">{t('lastUsed')}</Table.Th>
            <Table.Th scope="col">{t('state')}</Table.Th>
            <Table.Th scope="col">{t('actions')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </Table.Tbody>
      </Table>
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: KeySummary; onRevoke: () => void }) {
  const t = useTranslations('keys');
  const { name, fingerprintStart, createdAt, lastUsedAt, revokedAt } = apiKey;
  return (
    <Table.Tr data-key={name}>
      <Table.Td data-label={t('name')}>
        <Text component="bdi" fw={600}>
          {name}
        </Text>
      </Table.Td>
      <Table.Td data-label={t('fingerprint')}>
        <Code>{fingerprintStart}</Code>
      </Table.Td>
      <Table.Td data-label={t('created')}>
        <Moment at={createdAt} />
      </Table.Td>
      <Table.Td data-label={t('lastUsed')}>{lastUsedAt ? <Moment at={lastUsedAt} /> : t('never')}</Table.Td>
      <Table.Td data-label={t('state')}>
        <Badge color={revokedAt ? 'gray' : 'green'}>{revokedAt ? t('revoked') : t('active')}</Badge>
      </Table.Td>
      <Table.Td>
        {!revokedAt && (
          <Button variant="light" color="red" aria-label={t('revokeNamed', { name })} onClick={onRevoke}>
            {t('revoke')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function RevokeDialog({ apiKey, onClose }: { apiKey: KeySummary; onClose: () => void }) {
  const t = useTranslations('keys');
  const form = useTranslations('form');
  const router = useRouter();
  const done = () => {
    onClose();
    router.refresh();
  };
  const { run, pending, problems } = useAction(revokeKeyAction, done, { revokeGone: t('revokeGone') });
  return (
    <Dialog onClose={onClose} title={<bdi>{t('revokeTitle', { name: apiKey.name })}</bdi>}>
      <Stack>
        {problems.form && <Alert color="red">{problems.form}</Alert>}
        <Text>{t('revokeText')}</Text>
        <Text size="sm" c="dimmed">
          {apiKey.lastUsedAt
            ? t.rich('revokeUsedRich', { when: () => <TimeAgo at={apiKey.lastUsedAt ?? ''} /> })
            : t('revokeUnused')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {form('cancel')}
          </Button>
          <Button color="red" loading={pending} onClick={() => void run({ id: apiKey.id })}>
            {t('revoke')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
