import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { RecipientFilters } from '#app/owner/sends/[no]/recipient-filters.tsx';
import { RecipientTable } from '#app/owner/sends/[no]/recipient-table.tsx';
import type { RecipientQuery } from '#app/owner/sends/send-query.ts';
import { addressOf } from '#app/ui/lists/address.ts';
import { ListFoot } from '#app/ui/lists/list-foot.tsx';
import type { Manager } from '#server/principals.ts';
import type { SendDetails } from '#server/sends/details.ts';
import { listRecipients } from '#server/sends/recipients.ts';

type Props = { manager: Manager; send: SendDetails; query: RecipientQuery };

/** One page of the recipients of a send: when each one saw, read and confirmed it. */
export async function Recipients({ manager, send, query: { after, ...query } }: Props) {
  const t = await getTranslations();
  const path = `/owner/sends/${send.no}`;
  const { people, more } = await listRecipients(manager, send.no, { after, filter: query });
  return (
    <section aria-labelledby="people">
      <Title order={2} size="h4" id="people" mb="sm">
        {t('sends.people')}
      </Title>
      {send.reach === 0 ? (
        <Text c="dimmed">{t('sends.noPeople')}</Text>
      ) : (
        <>
          <RecipientFilters query={query} mustConfirm={send.mustConfirm} />
          {people.length === 0 && <Text c="dimmed">{t('sends.noMatch')}</Text>}
          {people.length > 0 && <RecipientTable people={people} send={send} />}
          <ListFoot
            shown={people.length}
            first={after !== undefined && addressOf(path, query)}
            firstText={t('sends.first')}
            next={more && addressOf(path, { ...query, after: people.at(-1)?.id })}
            nextText={t('sends.next')}
            csv={addressOf(`${path}/csv`, query)}
          />
        </>
      )}
    </section>
  );
}

/** The placeholder while the recipients load. */
export function RecipientsPlaceholder() {
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
