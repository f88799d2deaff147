import { Badge, Group, Table, TableTbody, TableTd, TableTr, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { RemindButton } from '#app/owner/sends/[no]/remind-button.tsx';
import { TableHead } from '#app/ui/lists/table-head.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import type { SendDetails } from '#server/sends/details.ts';
import type { Recipient } from '#server/sends/recipients.ts';

/** The table of the recipients of a send. */
export async function RecipientTable({ people, send }: { people: Recipient[]; send: SendDetails }) {
  const t = await getTranslations('sends');
  return (
    <Table className="rows" verticalSpacing="sm">
      <TableHead
        columns={[t('name'), t('shownAt'), t('readAt'), ...(send.mustConfirm ? [t('confirmedAt')] : []), t('actions')]}
      />
      <TableTbody>
        {people.map((person) => (
          <TableTr key={person.id} data-person={person.id}>
            <TableTd>
              <Text component="bdi" fw={600}>
                {person.name}
              </Text>
              <Text size="sm" c="dimmed">
                <bdi>{person.role}</bdi> · {person.id}
              </Text>
              {!person.active && <Badge color="gray">{t('inactive')}</Badge>}
            </TableTd>
            <TableTd data-label={t('shownAt')}>
              <Time at={person.shownAt} missing={t('notShown')} />
            </TableTd>
            <TableTd data-label={t('readAt')}>
              <Time at={person.readAt} missing={person.read ? t('readSometime') : t('notRead')} />
            </TableTd>
            {send.mustConfirm && (
              <TableTd data-label={t('confirmedAt')}>
                <Time at={person.confirmedAt} missing={t('notConfirmed')} />
              </TableTd>
            )}
            <TableTd>
              <RecipientActions person={person} send={send} />
            </TableTd>
          </TableTr>
        ))}
      </TableTbody>
    </Table>
  );
}

async function RecipientActions({ person, send }: { person: Recipient; send: SendDetails }) {
  const t = await getTranslations('sends');
  const canRemind = send.mustConfirm && !send.withdrawnAt && !person.confirmedAt && person.active;
  return (
    <Group gap="md">
      <TextLink
        href={`/owner/sends/${send.no}/${person.id}`}
        aria-label={t('proofNamed', { name: person.name })}
        className="pop-up-link"
      >
        {t('proof')}
      </TextLink>
      {canRemind && <RemindButton no={send.no} person={{ id: person.id, name: person.name }} />}
    </Group>
  );
}

function Time({ at, missing }: { at: Date | null; missing: string }) {
  if (at) return <Moment at={at} />;
  return (
    <Text component="span" size="sm" c="dimmed">
      {missing}
    </Text>
  );
}
