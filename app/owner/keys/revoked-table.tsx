import { Code, Table, TableTbody, TableTd, TableTr, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { LastCall } from '#app/owner/keys/last-call.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { PageLinks } from '#app/ui/lists/page-links.tsx';
import { TableHead } from '#app/ui/lists/table-head.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import type { RevokedKey } from '#server/keys/key-overview.ts';

/** The table of revoked keys with the last call that used each one. */
export function RevokedTable({ keys, hasMore, paged }: { keys: RevokedKey[]; hasMore: boolean; paged: boolean }) {
  const t = useTranslations('keys');
  if (keys.length === 0 && !paged)
    return (
      <EmptyState icon={<KeyRound aria-hidden size={32} />} title={t('emptyRevoked')} text={t('emptyRevokedText')} />
    );
  return (
    <>
      <Table className="rows" verticalSpacing="sm">
        <TableHead columns={[t('name'), t('created'), t('revokedAt'), t('lastCall')]} />
        <TableTbody>
          {keys.map((key) => (
            <RevokedRow key={key.id} revoked={key} />
          ))}
        </TableTbody>
      </Table>
      <PageLinks
        first={paged && '/owner/keys?state=revoked'}
        next={hasMore && `/owner/keys?state=revoked&before=${keys.at(-1)?.id}`}
      />
    </>
  );
}

function RevokedRow({ revoked }: { revoked: RevokedKey }) {
  const t = useTranslations('keys');
  const { id, name, fingerprintStart, note, createdAt, revokedAt, lastCall } = revoked;
  return (
    <TableTr data-key={name}>
      <TableTd data-label={t('name')}>
        <Text component="bdi" fw={600}>
          {name}
        </Text>{' '}
        <Code>{fingerprintStart}</Code>
        {note && <div className="fine-print">{note}</div>}
      </TableTd>
      <TableTd data-label={t('created')}>
        <Moment at={createdAt} />
      </TableTd>
      <TableTd data-label={t('revokedAt')}>
        <Moment at={revokedAt} />
      </TableTd>
      <TableTd data-label={t('lastCall')}>
        {lastCall ? (
          <>
            <LastCall call={lastCall} />
            <TextLink href={`/owner/audit/refused?key=${id}`}>{t('callingWhy')}</TextLink>
          </>
        ) : (
          t('noCall')
        )}
      </TableTd>
    </TableTr>
  );
}
