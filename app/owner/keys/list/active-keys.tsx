'use client';

import { KeyRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { useOriginText } from '#app/owner/keys/activity/call.tsx';
import { type KeyAction, KeyDialog, KeyMenu } from '#app/owner/keys/dialogs/key-dialogs.tsx';
import { KeyReplacements } from '#app/owner/keys/list/key-replacements.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { Cell, ListRow, ListTable, RowLink } from '#app/ui/lists/list-table.tsx';
import { SparkLine } from '#app/ui/pictures/pictures.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import type { KeyOverview, KeyReplacement } from '#server/keys/key-overview.ts';

type ActiveKeysProps = { keys: KeyOverview[]; replacements: KeyReplacement[]; baseUrl: string };

/** The active keys, the replacements in progress, and the dialogs for the actions on a key. */
export function ActiveKeys({ keys, replacements, baseUrl }: ActiveKeysProps) {
  const t = useTranslations('keys');
  const router = useRouter();
  const [chosen, setChosen] = useState<{ action: KeyAction; apiKey: KeyOverview }>();
  const choose = (action: KeyAction, apiKey: KeyOverview) => setChosen({ action, apiKey });
  const onClose = () => {
    setChosen(undefined);
    router.refresh();
  };
  const names = keys.map(({ name }) => name);
  return (
    <>
      {keys.length === 0 ? (
        <EmptyState icon={<KeyRound aria-hidden size={32} />} title={t('empty')} text={t('emptyText')} />
      ) : (
        <>
          <KeyReplacements replacements={replacements} onRevoke={(apiKey) => choose('revoke', apiKey)} />
          <KeyTable keys={keys} onChoose={choose} />
        </>
      )}
      {chosen && <KeyDialog {...chosen} names={names} baseUrl={baseUrl} onClose={onClose} />}
    </>
  );
}

type Choose = (action: KeyAction, apiKey: KeyOverview) => void;

/** The list of the keys that are not revoked. A row opens the page of its key. */
function KeyTable({ keys, onChoose }: { keys: KeyOverview[]; onChoose: Choose }) {
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

/** What is unusual about a key, in a few words; nothing for a key that simply works. */
function KeyFlag({ apiKey, replaces }: { apiKey: KeyOverview; replaces?: string }) {
  const t = useTranslations('keys');
  const formatDay = useDayText('medium');
  const { expiry, unused, revokedAt } = apiKey;
  if (revokedAt) return <span className="key-flag">{t('revoked')}</span>;
  if (expiry && expiry.state !== 'later')
    return (
      <span className="key-flag" data-tone="attention">
        {t(expiry.state === 'expired' ? 'expiredOn' : 'expiresSoon', { day: formatDay(expiry.on) })}
      </span>
    );
  if (unused)
    return (
      <span className="key-flag" data-tone="attention">
        {t('unused')}
      </span>
    );
  return replaces === undefined ? null : <span className="key-flag">{t('replaces', { name: replaces })}</span>;
}

/** Whether `KeyFlag` shows something for a key. */
const hasFlag = ({ expiry, unused, revokedAt }: KeyOverview, replaces?: string): boolean =>
  revokedAt !== null || unused || replaces !== undefined || (expiry !== null && expiry.state !== 'later');

/** Returns a function that writes a day (YYYY-MM-DD) in the language of the page. */
function useDayText(dateStyle: 'medium' | 'long'): (day: string) => string {
  const format = useFormatter();
  return (day) => format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle, timeZone: 'UTC' });
}
