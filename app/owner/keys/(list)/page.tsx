import '#app/owner/keys/keys.css';
import { Group, Text } from '@mantine/core';
import { KeyRound, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { useOriginText } from '#app/owner/keys/activity/origin-text.ts';
import { UnsavedKeyNotice } from '#app/owner/keys/create/unsaved-key.tsx';
import { CreateKeyButton } from '#app/owner/keys/dialogs/key-dialogs.tsx';
import { ActiveKeys } from '#app/owner/keys/list/active-keys.tsx';
import { NoticeLine } from '#app/ui/frame/notice-line.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState, ListFoot } from '#app/ui/lists/list-parts.tsx';
import { IdText, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { Cell, ListRow, ListTable, Note, RowLink } from '#app/ui/lists/list-table.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import { env } from '#platform/config/settings.ts';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import {
  listActiveKeys,
  listCallingRevokedKeys,
  listReplacements,
  listRevokedKeys,
} from '#server/keys/key-overview.ts';
import { hasKeys } from '#server/keys/keys.ts';

export const generateMetadata = titled('keys', 'title');

const keysQuery = { state: z.literal('revoked'), before: IdText };

export default async function Keys({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { state, before } = readQuery(keysQuery, await searchParams);
  const revoked = state === 'revoked';
  const owner = await requireOwner(revoked ? '/owner/keys?state=revoked' : '/owner/keys');
  const [t, hasAny, keys, calling] = await Promise.all([
    getTranslations(),
    hasKeys(owner),
    revoked ? [] : listActiveKeys(owner),
    revoked ? [] : listCallingRevokedKeys(owner),
  ]);
  return (
    <>
      <PageHead
        compact={hasAny}
        back={revoked ? { href: '/owner/keys', text: t('keys.title') } : undefined}
        title={revoked ? t('keys.tabRevoked') : hasAny ? t('keys.title') : t('nav.system')}
      >
        {!revoked && <CreateKeyButton baseUrl={env().APP_URL} />}
      </PageHead>
      <UnsavedKeyNotice />
      {revoked ? (
        <RevokedTable {...(await listRevokedKeys(owner, { before }))} paged={before !== undefined} />
      ) : (
        <>
          {calling.length > 0 && (
            <NoticeLine
              href="/owner/keys?state=revoked"
              icon={<TriangleAlert />}
              see={t('keys.callingWhy')}
              tone="attention"
              data-calling={calling.length}
            >
              <bdi>{t('keys.calling', { names: calling.map(({ name }) => `“${name}”`).join(', ') })}</bdi>
            </NoticeLine>
          )}
          <ActiveKeys keys={keys} replacements={listReplacements(keys)} baseUrl={env().APP_URL} />
        </>
      )}
      <Group gap="lg" mt="xs">
        {hasAny && !revoked && <TextLink href="/owner/keys?state=revoked">{t('keys.tabRevoked')}</TextLink>}
        <TextLink href="/docs" target="_blank" rel="noopener">
          {t('docs.forKeys')} {t('nav.newTab')}
        </TextLink>
        {!hasAny && <TextLink href="/owner/settings/alarms">{t('nav.alarms')}</TextLink>}
      </Group>
      <Text className="fine-print">{t('keys.lead')}</Text>
    </>
  );
}

function RevokedTable({ keys, hasMore, paged }: Awaited<ReturnType<typeof listRevokedKeys>> & { paged: boolean }) {
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
