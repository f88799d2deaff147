import { KeyRound, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useOriginText } from '#app/owner/keys/activity/call.tsx';
import { NoticeLine } from '#app/ui/frame/notice-line.tsx';
import { EmptyState, ListFoot } from '#app/ui/lists/list-parts.tsx';
import { Cell, ListRow, ListTable, Note, RowLink } from '#app/ui/lists/list-table.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import type { RevokedKey } from '#server/keys/key-overview.ts';

/** The list of revoked keys with the last call that used each one. A row opens the key's page. */
export function RevokedTable({ keys, hasMore, paged }: { keys: RevokedKey[]; hasMore: boolean; paged: boolean }) {
  const t = useTranslations('keys');
  const originOf = useOriginText();
  if (keys.length === 0 && !paged)
    return <EmptyState icon={<KeyRound size={32} />} title={t('emptyRevoked')} text={t('emptyRevokedText')} />;
  const columns = [
    { name: t('name'), width: 'minmax(0, 3fr)' },
    { name: t('created'), width: '8.75rem', wide: true },
    { name: t('revokedAt'), width: '8.75rem' },
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
            <Cell at="aside" time={revokedAt} what={t('revokedAt')} />
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
        rowCount={keys.length}
        first={paged && '/owner/keys?state=revoked'}
        next={hasMore && `/owner/keys?state=revoked&before=${keys.at(-1)?.id}`}
      />
    </>
  );
}

/** One line about revoked keys that are still used. It leads to the list that says from where. */
export function RevokedKeysInUse({ keys }: { keys: RevokedKey[] }) {
  const t = useTranslations('keys');
  if (keys.length === 0) return null;
  return (
    <NoticeLine
      href="/owner/keys?state=revoked"
      icon={<TriangleAlert />}
      see={t('callingWhy')}
      tone="attention"
      data-calling={keys.length}
    >
      <bdi>{t('calling', { names: keys.map(({ name }) => `“${name}”`).join(', ') })}</bdi>
    </NoticeLine>
  );
}
