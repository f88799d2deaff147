import { getTranslations } from 'next-intl/server';
import { asRecipientFilter, recipientQuery } from '#app/owner/sends/send-query.ts';
import { answerOf } from '#app/portal/notification/item.ts';
import { type CsvColumn, csvDownload } from '#app/responses/download.ts';
import { NumberText, readQuery } from '#app/ui/lists/list-query.ts';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import type { Manager } from '#server/principals.ts';
import { findSend, listRecipients, type Recipient, type RecipientFilter } from '#server/sends/history/details.ts';

const pageSize = 2000;

/** Downloads all recipients of a send that match the filters of the page, as CSV. */
export async function GET(request: Request, { params }: { params: Promise<{ no: string }> }): Promise<Response> {
  const manager = await requireManager('/owner/sends');
  const no = NumberText.safeParse((await params).no).data;
  const send = no === undefined ? null : await findSend(manager, no);
  if (!send) return new Response(null, { status: 404 });
  const filter = asRecipientFilter(readQuery(recipientQuery, new URL(request.url).searchParams));
  const t = await getTranslations('sends.csv');
  const yesNo = (value: boolean) => (value ? t('yes') : t('no_'));
  const columns: CsvColumn<Recipient>[] = [
    { heading: t('recipientId'), cellOf: ({ id }) => id },
    { heading: t('name'), cellOf: ({ name }) => name },
    { heading: t('role'), cellOf: ({ role }) => role },
    { heading: t('active'), cellOf: ({ active }) => yesNo(active) },
    { heading: t('shownAt'), cellOf: ({ shownAt }) => shownAt },
    { heading: t('read'), cellOf: ({ read }) => yesNo(read) },
    { heading: t('readAt'), cellOf: ({ readAt }) => readAt },
  ];
  const { answers } = send;
  if (answers) columns.push({ heading: t('answer'), cellOf: ({ answer }) => answerOf({ answers, answer }) ?? null });
  if (send.mustConfirm)
    columns.push({ heading: t(answers ? 'answeredAt' : 'confirmedAt'), cellOf: ({ confirmedAt }) => confirmedAt });
  return csvDownload(manager, `send-${send.no}`, columns, listAllRecipients(manager, send.no, filter));
}

async function* listAllRecipients(manager: Manager, no: number, filter: RecipientFilter): AsyncGenerator<Recipient> {
  for (let hasMore = true, after = 0; hasMore; ) {
    const page = await listRecipients(manager, no, { after, filter, limit: pageSize });
    yield* page.people;
    after = page.people.at(-1)?.id ?? 0;
    hasMore = page.more;
  }
}
