'use client';

import { ActionIcon, Badge, Code, Group, Menu, Table, Text } from '@mantine/core';
import { Activity, EllipsisVertical, Pencil, Repeat, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { expectedIntervals } from '#app/owner/keys/expected-intervals.ts';
import { LastCall } from '#app/owner/keys/last-call.tsx';
import { TableHead } from '#app/ui/lists/table-head.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { PageLink } from '#app/ui/text/page-link.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

/** The actions on a key. */
export type KeyAction = 'monitor' | 'edit' | 'replace' | 'revoke';

type Choose = (action: KeyAction, apiKey: KeyOverview) => void;

/** The table of the active keys; on a phone each row is a card. */
export function KeyTable({ keys, onChoose }: { keys: KeyOverview[]; onChoose: Choose }) {
  const t = useTranslations('keys');
  const nameOf = new Map(keys.map(({ id, name }) => [id, name]));
  return (
    <Table className="rows" verticalSpacing="sm">
      <TableHead columns={[t('name'), t('created'), t('lastUsed'), t('traffic'), t('state'), t('actions')]} />
      <Table.Tbody>
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            replaces={key.replacesId === null ? undefined : nameOf.get(key.replacesId)}
            onChoose={onChoose}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function KeyRow({ apiKey, replaces, onChoose }: { apiKey: KeyOverview; replaces?: string; onChoose: Choose }) {
  const t = useTranslations('keys');
  const { name, createdAt, lastUse, unused } = apiKey;
  return (
    <Table.Tr data-key={name}>
      <Table.Td data-label={t('name')} miw={220} maw={360}>
        <NameCell apiKey={apiKey} replaces={replaces} />
      </Table.Td>
      <Table.Td data-label={t('created')} miw={130}>
        <Moment at={createdAt} />
      </Table.Td>
      <Table.Td data-label={t('lastUsed')}>{lastUse ? <LastCall call={lastUse} /> : t('never')}</Table.Td>
      <Table.Td data-label={t('traffic')}>
        <Traffic apiKey={apiKey} />
      </Table.Td>
      <Table.Td data-label={t('state')}>
        <Badge color={unused ? 'yellow' : 'green'}>{unused ? t('unused') : t('active')}</Badge>
      </Table.Td>
      <Table.Td>
        <RowMenu apiKey={apiKey} onChoose={onChoose} />
      </Table.Td>
    </Table.Tr>
  );
}

function NameCell({ apiKey, replaces }: { apiKey: KeyOverview; replaces?: string }) {
  const t = useTranslations('keys');
  const { name, fingerprintStart, note, mustConfirm, expectedEveryMinutes } = apiKey;
  const expected = expectedIntervals.find((minutes) => minutes === expectedEveryMinutes);
  return (
    <>
      <Text component="bdi" fw={600}>
        {name}
      </Text>{' '}
      <Code title={t('fingerprint')}>{fingerprintStart}</Code>
      {replaces !== undefined && <div className="fine-print">{t('replaces', { name: replaces })}</div>}
      {note && <div className="fine-print multiline">{note}</div>}
      {mustConfirm && <div className="fine-print">{t('mustConfirmBadge')}</div>}
      {expected && <div className="fine-print">{t('expectedBadge', { every: t(`every.${expected}`) })}</div>}
    </>
  );
}

function Traffic({ apiKey: { id, name, requests, refused } }: { apiKey: KeyOverview }) {
  const t = useTranslations('keys');
  return (
    <Group gap={8} component="span" style={{ display: 'inline-flex' }}>
      <span>{t('requests', { count: requests })}</span>
      {refused > 0 && (
        <PageLink
          className="refused-count"
          href={`/owner/audit/refused?key=${id}`}
          aria-label={t('refusedOf', { count: refused, name })}
        >
          {t('refusedCount', { count: refused })}
        </PageLink>
      )}
    </Group>
  );
}

function RowMenu({ apiKey, onChoose }: { apiKey: KeyOverview; onChoose: Choose }) {
  const t = useTranslations('keys');
  const items = [
    { action: 'monitor', text: t('watch'), icon: Activity },
    { action: 'edit', text: t('edit'), icon: Pencil },
    { action: 'replace', text: t('replace'), icon: Repeat },
  ] as const;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" aria-label={t('actionsNamed', { name: apiKey.name })}>
          <EllipsisVertical aria-hidden size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ action, text, icon: Icon }) => (
          <Menu.Item
            key={action}
            mih={44}
            leftSection={<Icon aria-hidden size={18} />}
            onClick={() => onChoose(action, apiKey)}
          >
            {text}
          </Menu.Item>
        ))}
        <Menu.Item
          mih={44}
          color="red"
          leftSection={<Trash2 aria-hidden size={18} />}
          onClick={() => onChoose('revoke', apiKey)}
        >
          {t('revoke')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
