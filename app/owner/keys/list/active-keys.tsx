'use client';

import { KeyRound } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { type KeyAction, KeyDialog, useKeyEntries } from '#app/owner/keys/dialogs/key-dialogs.tsx';
import { useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { ActionMenu } from '#app/ui/lists/action-menu.tsx';
import { EmptyState } from '#app/ui/lists/list-parts.tsx';
import { Cell, ListRow, ListTable, Note, RowLink } from '#app/ui/lists/list-table.tsx';
import { SparkLine } from '#app/ui/pictures/charts.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import { TimeOf } from '#app/ui/text/timestamp.tsx';
import type { KeyOverview, KeyReplacement } from '#server/keys/key-overview.ts';

type ListProps = { keys: KeyOverview[]; replacements: KeyReplacement[]; baseUrl: string };

export function ActiveKeys({ keys, replacements, baseUrl }: ListProps) {
  const t = useTranslations('keys');
  const [chosen, open, onClose] = useOpenDialog<{ action: KeyAction; apiKey: KeyOverview }>();
  const names = keys.map(({ name }) => name);
  const columns = [
    { name: t('name'), width: 'minmax(0, 3fr)' },
    { name: t('traffic'), width: '7.75rem', wide: true },
    { name: t('requestsHead'), width: '11.875rem' },
    { name: t('lastUsed'), width: '10.625rem' },
    { name: t('state'), width: 'minmax(0, 3fr)', noted: true },
    { name: t('actions'), width: '3rem', quiet: true },
  ];
  if (keys.length === 0) return <EmptyState icon={<KeyRound size={32} />} title={t('empty')} text={t('emptyText')} />;
  return (
    <>
      <ListTable label={t('title')} columns={columns}>
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            replacement={replacements.find(({ from, to }) => from.id === key.id || to.id === key.id)}
            onChoose={(action) => open({ action, apiKey: key })}
          />
        ))}
      </ListTable>
      {chosen && <KeyDialog {...chosen} names={names} baseUrl={baseUrl} onClose={onClose} />}
    </>
  );
}

type Choose = (action: KeyAction) => void;

type RowProps = { apiKey: KeyOverview; replacement?: KeyReplacement; onChoose: Choose };

function KeyRow({ apiKey, replacement, onChoose }: RowProps) {
  const t = useTranslations('keys');
  const { id, name, requests, refused, hourly, expiry, lastUse } = apiKey;
  const entries = useKeyEntries(['watch', 'edit', 'replace', 'revoke'], onChoose);
  const flag = useFlag(apiKey, replacement, onChoose);
  const plainFlag = useFlag(apiKey, replacement);
  const used = lastUse ? <TimeOf what={t('used')} at={lastUse.at} inColumn /> : t('never');
  return (
    <ListRow data-key={name} faded={expiry?.state === 'expired'}>
      <Cell at="main">
        <RowLink href={`/owner/keys/${id}`}>{name}</RowLink>
      </Cell>
      <Cell at="aside" wide>
        {requests > 0 && <SparkLine label={t('sparkLabel', { count: requests })} values={hourly} />}
      </Cell>
      <Cell>
        <span>{t('requests', { count: requests })}</span>
        {refused > 0 && (
          <span>
            {' · '}
            <PageLink href={`/owner/audit/refused?key=${id}`} aria-label={t('refusedOf', { count: refused, name })}>
              {t('refusedCount', { count: refused })}
            </PageLink>
          </span>
        )}
      </Cell>
      <Cell at="second">
        <span className="mantine-visible-from-sm">{used}</span>
        <span className="mantine-hidden-from-sm">{plainFlag ?? used}</span>
      </Cell>
      <Cell>{flag}</Cell>
      <Cell at="menu">
        <ActionMenu label={t('actionsNamed', { name })} entries={entries} />
      </Cell>
    </ListRow>
  );
}

// What is unusual about a key, in a few words; null for a key that simply works. A press on the words opens what helps.
// A key that another one replaces says so until it is revoked, and whether that may be done now.
function useFlag({ id, expiry, unused }: KeyOverview, replacement?: KeyReplacement, onCure?: Choose) {
  const t = useTranslations('keys');
  const format = useFormatter();
  const cure = (action: KeyAction, text: string) => (
    <Note tone="attention" onPress={onCure && (() => onCure(action))}>
      {text}
    </Note>
  );
  if (expiry && expiry.state !== 'later') {
    const day = format.dateTime(new Date(`${expiry.on}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });
    return cure('replace', t(expiry.state === 'expired' ? 'expiredOn' : 'expiresSoon', { day }));
  }
  if (replacement) {
    const { to, state } = replacement;
    const isUsed = state === 'moved' || state === 'both';
    if (to.id === id) return isUsed ? <Note>{t(`pair.${state}`)}</Note> : cure('watch', t(`pair.${state}`));
    return state === 'moved' ? cure('revoke', t('canBeRevoked')) : <Note>{t('replacedBy', { name: to.name })}</Note>;
  }
  return unused ? cure('revoke', t('unused')) : null;
}
