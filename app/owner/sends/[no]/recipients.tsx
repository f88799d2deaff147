import { Text, VisuallyHidden } from '@mantine/core';
import { Search } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { RemindButton } from '#app/owner/sends/[no]/send-buttons.tsx';
import { asRecipientFilter, type RecipientQuery } from '#app/owner/sends/send-query.ts';
import { answerOf } from '#app/portal/notification/item.ts';
import { addressOf } from '#app/ui/lists/address.ts';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { CsvLink, ListFoot } from '#app/ui/lists/list-parts.tsx';
import { Cell, Initials, ListRow, ListTable, Note, RowLink } from '#app/ui/lists/list-table.tsx';
import { LinkTabs } from '#app/ui/text/links.tsx';
import { ShortTime, TimeOf } from '#app/ui/text/timestamp.tsx';
import type { Manager } from '#server/principals.ts';
import { listRecipients, type Recipient, type SendDetails } from '#server/sends/history/details.ts';
import { answerStates } from '#server/sends/history/states.ts';

const mustConfirmTabs = ['unconfirmed', 'confirmed', 'shown', 'all'] as const;
const readTabs = ['unread', 'read', 'shown', 'all'] as const;

type Props = { manager: Manager; send: SendDetails; query: RecipientQuery };

/** One page of the recipients of a send: when each one saw, read and confirmed it. */
export async function Recipients({ manager, send, query: { after, ...query } }: Props) {
  const t = await getTranslations();
  const path = `/owner/sends/${send.no}`;
  const { people, more } = await listRecipients(manager, send.no, { after, filter: asRecipientFilter(query) });
  const columns = [
    { name: t('sends.person'), width: '3rem', quiet: true },
    { name: t('sends.name'), width: 'minmax(0, 1.5fr)' },
    { name: t('sends.role'), width: 'minmax(0, 1fr)', wide: true },
    { name: t('sends.shownAt'), width: '8.125rem' },
    { name: t('sends.readAt'), width: '9.375rem' },
    ...(send.mustConfirm ? [{ name: t(send.answers ? 'sends.answer' : 'sends.confirmedAt'), width: '10.625rem' }] : []),
    ...(send.mustConfirm ? [{ name: t('sends.actions'), width: '9.375rem', quiet: true }] : []),
  ];
  const { state = 'all', search } = query;
  const { answers } = send;
  const ofAnswers = ['unconfirmed', ...answerStates.slice(0, answers?.length), 'all'] as const;
  const usual = answers ? ofAnswers : send.mustConfirm ? mustConfirmTabs : readTabs;
  // A state of the address may be of an answer that the send does not have.
  const answerOfTab = (index: number) => (index < 0 ? undefined : (answers?.[index] ?? '–'));
  const tabs = [...new Set([...usual, state])].map((tab) => ({
    text: answerOfTab(answerStates.indexOf(tab as 'answer1')) ?? t(`sends.personState.${tab as 'all'}`),
    current: tab === state,
    href: addressOf(path, { state: tab, search }),
  }));
  return (
    <section aria-labelledby="people">
      <VisuallyHidden component="h2" id="people">
        {t('sends.people')}
      </VisuallyHidden>
      {send.reach === 0 ? (
        <Text c="dimmed">{t('sends.noPeople')}</Text>
      ) : (
        <>
          <LinkTabs label={t('sends.filterState')} tabs={tabs} />
          <details className="inbox-search" open={search !== undefined}>
            <summary className="icon-button" title={t('sends.personSearch')}>
              <VisuallyHidden>{t('sends.personSearch')}</VisuallyHidden>
              <Search size={20} />
            </summary>
            <FilterBar
              search={{ name: 'search', label: t('sends.personSearch'), value: search }}
              keep={{ state: query.state }}
            />
          </details>
          {people.length === 0 && <Text c="dimmed">{t('sends.noMatch')}</Text>}
          {people.length > 0 && (
            <ListTable label={t('sends.people')} columns={columns}>
              {people.map((person) => (
                <RecipientRow key={person.id} person={person} send={send} />
              ))}
            </ListTable>
          )}
          <ListFoot
            rowCount={people.length}
            first={after !== undefined && addressOf(path, query)}
            firstText={t('sends.first')}
            next={more && addressOf(path, { ...query, after: people.at(-1)?.id })}
            nextText={t('sends.next')}
          >
            <CsvLink href={addressOf(`${path}/csv`, query)} />
          </ListFoot>
        </>
      )}
    </section>
  );
}

async function RecipientRow({ person, send }: { person: Recipient; send: SendDetails }) {
  const t = await getTranslations('sends');
  const { id, name, role, active, shownAt, read, readAt, confirmedAt } = person;
  const given = answerOf({ answers: send.answers, answer: person.answer });
  const notConfirmed = t(send.answers ? 'notAnswered' : 'notConfirmed');
  const canRemind = send.mustConfirm && !send.closedAt && !send.withdrawnAt && !confirmedAt && active;
  const isOfFormerText = confirmedAt && send.correctedAt && confirmedAt < send.correctedAt;
  const missingRead = read ? t('readSometime') : t('notRead');
  // What a phone's second line says: the furthest that the person came.
  const furthest = send.mustConfirm
    ? ([confirmedAt, given ?? (confirmedAt ? t('confirmedAt') : notConfirmed)] as const)
    : read
      ? ([readAt, readAt ? t('readAt') : missingRead] as const)
      : ([shownAt, shownAt ? t('shownNotRead') : t('notShown')] as const);
  return (
    <ListRow data-person={id} faded={!active}>
      <Cell at="lead">
        <Initials name={name} />
      </Cell>
      <Cell at="main">
        <RowLink href={`/owner/sends/${send.no}/${id}`} label={t('proofNamed', { name })}>
          {name}
        </RowLink>
        {!active && <Note>{t('inactive')}</Note>}
        {isOfFormerText && <Note tone="attention">{t('formerConfirmed')}</Note>}
      </Cell>
      <Cell wide>
        <bdi>{role}</bdi>
      </Cell>
      <Cell>{timeOr(shownAt, t('notShown'))}</Cell>
      <Cell>{timeOr(readAt, missingRead)}</Cell>
      {send.mustConfirm && (
        <Cell>
          {given && <strong dir="auto">{given}</strong>} {timeOr(confirmedAt, notConfirmed)}
        </Cell>
      )}
      <Cell at="second" phone>
        {furthest[0] ? <TimeOf what={furthest[1]} at={furthest[0]} /> : furthest[1]}
      </Cell>
      {send.mustConfirm && <Cell at="menu">{canRemind && <RemindButton no={send.no} person={{ id, name }} />}</Cell>}
    </ListRow>
  );
}

const timeOr = (at: Date | null, missing: string) =>
  at ? <ShortTime at={at} /> : <span className="dimmed">{missing}</span>;
