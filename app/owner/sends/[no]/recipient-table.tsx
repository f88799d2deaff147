import { getTranslations } from 'next-intl/server';
import { RemindButton } from '#app/owner/sends/[no]/remind-button.tsx';
import { Cell, ListRow, ListTable, Note, RowLink } from '#app/ui/lists/list-table.tsx';
import { Initials } from '#app/ui/people/initials.tsx';
import { ShortTime } from '#app/ui/text/short-time.tsx';
import type { SendDetails } from '#server/sends/details.ts';
import type { Recipient } from '#server/sends/recipients.ts';

/** The list of the recipients of a send. A row opens the proof for its person. */
export async function RecipientTable({ people, send }: { people: Recipient[]; send: SendDetails }) {
  const t = await getTranslations('sends');
  const columns = [
    { name: t('person'), width: '48px', quiet: true },
    { name: t('name'), width: 'minmax(0, 1.5fr)' },
    { name: t('role'), width: 'minmax(0, 1fr)', wide: true },
    { name: t('shownAt'), width: '130px' },
    { name: t('readAt'), width: '150px' },
    ...(send.mustConfirm ? [{ name: t('confirmedAt'), width: '170px' }] : []),
    ...(send.mustConfirm ? [{ name: t('actions'), width: '150px', quiet: true }] : []),
  ];
  return (
    <ListTable label={t('people')} columns={columns}>
      {people.map((person) => (
        <RecipientRow key={person.id} person={person} send={send} />
      ))}
    </ListTable>
  );
}

async function RecipientRow({ person, send }: { person: Recipient; send: SendDetails }) {
  const t = await getTranslations('sends');
  const { id, name, role, active, shownAt, read, readAt, confirmedAt } = person;
  const canRemind = send.mustConfirm && !send.withdrawnAt && !confirmedAt && active;
  const missingRead = read ? t('readSometime') : t('notRead');
  // What a phone's second line says: the furthest that the person came.
  const furthest = send.mustConfirm
    ? ([confirmedAt, confirmedAt ? t('confirmedAt') : t('notConfirmed')] as const)
    : read
      ? ([readAt, readAt ? t('readAt') : missingRead] as const)
      : ([shownAt, shownAt ? t('shownNotRead') : t('notShown')] as const);
  return (
    <ListRow data-person={id} faded={!active}>
      <Cell at="lead">
        <Initials name={name} size={32} />
      </Cell>
      <Cell at="main">
        <RowLink href={`/owner/sends/${send.no}/${id}`} label={t('proofNamed', { name })}>
          <bdi>{name}</bdi>
        </RowLink>
        {!active && <Note>{t('inactive')}</Note>}
      </Cell>
      <Cell wide>
        <bdi>{role}</bdi>
      </Cell>
      <Cell>
        <Time at={shownAt} missing={t('notShown')} />
      </Cell>
      <Cell>
        <Time at={readAt} missing={missingRead} />
      </Cell>
      {send.mustConfirm && (
        <Cell>
          <Time at={confirmedAt} missing={t('notConfirmed')} />
        </Cell>
      )}
      <Cell at="second" phone>
        <span>
          {furthest[1]}
          {furthest[0] && ' · '}
          {furthest[0] && <ShortTime at={furthest[0]} />}
        </span>
      </Cell>
      {send.mustConfirm && <Cell at="menu">{canRemind && <RemindButton no={send.no} person={{ id, name }} />}</Cell>}
    </ListRow>
  );
}

function Time({ at, missing }: { at: Date | null; missing: string }) {
  return at ? <ShortTime at={at} /> : <span className="dimmed">{missing}</span>;
}
