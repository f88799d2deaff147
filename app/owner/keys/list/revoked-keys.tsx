import { Alert, List, ListItem, Text } from '@mantine/core';
import { KeyRound, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useOriginText } from '#app/owner/keys/activity/call.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { ListFoot } from '#app/ui/lists/list-foot.tsx';
import { Cell, ListRow, ListTable, Note, RowLink } from '#app/ui/lists/list-table.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import type { RevokedKey } from '#server/keys/key-overview.ts';

/** The list of revoked keys with the last call that used each one. A row opens the key's page. */
export function RevokedTable({ keys, hasMore, paged }: { keys: RevokedKey[]; hasMore: boolean; paged: boolean }) {
  const t = useTranslations('keys');
  const originOf = useOriginText();
  if (keys.length === 0 && !paged)
    return (
      <EmptyState icon={<KeyRound aria-hidden size={32} />} title={t('emptyRevoked')} text={t('emptyRevokedText')} />
    );
  const columns = [
    { name: t('name'), width: 'minmax(0, 3fr)' },
    { name: t('created'), width: '140px', wide: true },
    { name: t('revokedAt'), width: '140px' },
    { name: t('lastCall'), width: 'minmax(0, 4fr)' },
  ];
  return (
    <>
      <ListTable label={t('tabRevoked')} columns={columns}>
        {keys.map(({ id, name, createdAt, revokedAt, lastCall }) => (
          <ListRow key={id} data-key={name}>
            <Cell at="main">
              <RowLink href={`/owner/keys/${id}`}>{name}</RowLink>
            </Cell>
            <Cell wide time={createdAt} />
            <Cell at="aside" time={revokedAt} />
            <Cell at="second">
              {lastCall ? (
                <span>
                  <Note tone="attention">{t('stillCalled')}</Note> <ShortTime at={lastCall.at} />{' '}
                  <span className="dimmed">{originOf(lastCall)}</span>
                </span>
              ) : (
                t('noCall')
              )}
            </Cell>
          </ListRow>
        ))}
      </ListTable>
      <ListFoot
        shown={keys.length}
        first={paged && '/owner/keys?state=revoked'}
        next={hasMore && `/owner/keys?state=revoked&before=${keys.at(-1)?.id}`}
      />
    </>
  );
}

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
