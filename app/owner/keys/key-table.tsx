'use client';

import { useTranslations } from 'next-intl';
import { useOriginText } from '#app/owner/keys/call-texts.ts';
import type { KeyAction } from '#app/owner/keys/key-dialogs.tsx';
import { hasFlag, KeyFlag } from '#app/owner/keys/key-flag.tsx';
import { KeyMenu } from '#app/owner/keys/key-menu.tsx';
import { Cell, ListRow, ListTable, RowLink } from '#app/ui/lists/list-table.tsx';
import { SparkLine } from '#app/ui/pictures/spark-line.tsx';
import { PageLink } from '#app/ui/text/page-link.tsx';
import { ShortTime } from '#app/ui/text/short-time.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

type Choose = (action: KeyAction, apiKey: KeyOverview) => void;

/** The list of the keys that are not revoked. A row opens the page of its key. */
export function KeyTable({ keys, onChoose }: { keys: KeyOverview[]; onChoose: Choose }) {
  const t = useTranslations('keys');
  const nameOf = new Map(keys.map(({ id, name }) => [id, name]));
  const columns = [
    { name: t('name'), width: 'minmax(0, 5fr)' },
    { name: t('traffic'), width: '128px' },
    { name: t('requestsHead'), width: '190px' },
    { name: t('lastUsed'), width: 'minmax(0, 5fr)' },
    { name: t('state'), width: 'minmax(0, 4fr)' },
    { name: t('actions'), width: '48px', quiet: true },
  ];
  return (
    <ListTable label={t('title')} columns={columns}>
      {keys.map((key) => (
        <KeyRow
          key={key.id}
          apiKey={key}
          replaces={key.replacesId === null ? undefined : nameOf.get(key.replacesId)}
          onChoose={onChoose}
        />
      ))}
    </ListTable>
  );
}

function KeyRow({ apiKey, replaces, onChoose }: { apiKey: KeyOverview; replaces?: string; onChoose: Choose }) {
  const t = useTranslations('keys');
  const { id, name, requests, hourly, expiry } = apiKey;
  const isFlagged = hasFlag(apiKey, replaces);
  return (
    <ListRow data-key={name} faded={expiry?.state === 'expired'}>
      <Cell at="main">
        <RowLink href={`/owner/keys/${id}`}>
          <bdi>{name}</bdi>
        </RowLink>
      </Cell>
      <Cell at="aside">
        {requests > 0 && <SparkLine label={t('sparkLabel', { count: requests })} values={hourly} />}
      </Cell>
      <Cell>
        <Traffic apiKey={apiKey} />
      </Cell>
      <Cell at="second">
        <span className="key-second">
          {isFlagged && (
            <span className="key-flag-phone">
              <KeyFlag apiKey={apiKey} replaces={replaces} />
              {' · '}
            </span>
          )}
          <LastUse apiKey={apiKey} />
        </span>
      </Cell>
      <Cell>
        <KeyFlag apiKey={apiKey} replaces={replaces} />
      </Cell>
      <Cell at="menu">
        <KeyMenu name={name} onChoose={(action) => onChoose(action, apiKey)} />
      </Cell>
    </ListRow>
  );
}

function Traffic({ apiKey: { id, name, requests, refused } }: { apiKey: KeyOverview }) {
  const t = useTranslations('keys');
  return (
    <>
      <span>{t('requests', { count: requests })}</span>
      {refused > 0 && (
        <>
          {' · '}
          <PageLink
            className="key-failed"
            href={`/owner/audit/refused?key=${id}`}
            aria-label={t('refusedOf', { count: refused, name })}
          >
            {t('refusedCount', { count: refused })}
          </PageLink>
        </>
      )}
    </>
  );
}

function LastUse({ apiKey: { lastUse } }: { apiKey: KeyOverview }) {
  const t = useTranslations('keys');
  const originOf = useOriginText();
  if (!lastUse) return t('never');
  const origin = originOf(lastUse);
  return (
    <>
      <ShortTime at={lastUse.at} />{' '}
      <span className="key-origin" title={origin}>
        {origin}
      </span>
    </>
  );
}
