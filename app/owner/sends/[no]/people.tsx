import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { PeopleFilters } from '#app/owner/sends/[no]/people-filters.tsx';
import { PeopleTable } from '#app/owner/sends/[no]/people-table.tsx';
import { asSearch, withQuery } from '#app/ui/lists/query.ts';
import { TextLink } from '#app/ui/text/text-link.tsx';
import type { Owner } from '#server/principals.ts';
import type { SendDetails } from '#server/sends/proof.ts';
import { listRecipients, type RecipientFilter } from '#server/sends/recipients.ts';

type Props = { owner: Owner; send: SendDetails; filter: RecipientFilter; after: number | undefined };

/** The people of a send, a page of them, and what each did when. */
export async function People({ owner, send, filter, after }: Props) {
  const t = await getTranslations();
  const path = `/owner/sends/${send.no}`;
  const query = asSearch(filter);
  const { people, more } = await listRecipients(owner, send.no, { after, filter });
  return (
    <section aria-labelledby="people">
      <Title order={2} size="h4" id="people" mb="sm">
        {t('sends.people')}
      </Title>
      {send.reach === 0 ? (
        <Text c="dimmed">{t('sends.noPeople')}</Text>
      ) : (
        <>
          <PeopleFilters key={query} filter={filter} confirmable={send.mustConfirm} />
          {people.length === 0 && <Text c="dimmed">{t('sends.noMatch')}</Text>}
          {people.length > 0 && <PeopleTable people={people} send={send} />}
          <Group mt="md" gap="xl">
            {after !== undefined && <TextLink href={withQuery(path, query)}>{t('sends.first')}</TextLink>}
            {more && (
              <TextLink href={withQuery(path, asSearch({ ...filter, after: people.at(-1)?.id }))}>
                {t('sends.next')}
              </TextLink>
            )}
          </Group>
          <Group mt="md">
            <Button component="a" href={withQuery(`${path}/csv`, query)} download variant="default">
              {t('filter.csv')}
            </Button>
          </Group>
        </>
      )}
    </section>
  );
}

/** The place of the people while they are read. */
export function PeoplePlace() {
  return (
    <Stack gap="sm" aria-hidden>
      <Skeleton height={28} width={140} />
      <Skeleton height={64} />
      <Skeleton height={56} />
      <Skeleton height={56} />
      <Skeleton height={56} />
    </Stack>
  );
}
