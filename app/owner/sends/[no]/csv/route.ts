import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import { readRecipientFilter } from '#app/owner/sends/send-filter.ts';
import { csvDownload } from '#app/responses/csv-download.ts';
import { readWhole } from '#app/ui/lists/query.ts';
import { requireOwner } from '#server/accounts/require.ts';
import type { CsvRow } from '#server/exports/csv.ts';
import type { Owner } from '#server/principals.ts';
import { findSend } from '#server/sends/proof.ts';
import { listRecipients, type RecipientFilter } from '#server/sends/recipients.ts';

const pageSize = 2000;

/** The people of a send that the page's filters show, all of them, with their times. */
export async function GET(request: Request, { params }: { params: Promise<{ no: string }> }): Promise<Response> {
  const owner = await requireOwner('/owner/sends');
  const no = readWhole((await params).no);
  const send = no === undefined ? null : await findSend(owner, no);
  if (!send) return new Response(null, { status: 404 });
  const filter = readRecipientFilter(Object.fromEntries(new URL(request.url).searchParams));
  const [t, locale] = await Promise.all([getTranslations('sends.csv'), currentLanguage()]);
  const columns = [
    ...(['recipientId', 'name', 'role', 'active', 'shownAt', 'read', 'readAt'] as const),
    ...(send.mustConfirm ? (['confirmedAt'] as const) : []),
  ];
  const words = { yes: t('yes'), no: t('no_') };
  const rows = rowsOf(owner, { no: send.no, filter, words, confirmable: send.mustConfirm });
  return csvDownload(
    `send-${send.no}`,
    columns.map((name) => t(name)),
    rows,
    locale,
  );
}

type Wanted = { no: number; filter: RecipientFilter; words: { yes: string; no: string }; confirmable: boolean };

async function* rowsOf(owner: Owner, { no, filter, words, confirmable }: Wanted): AsyncGenerator<CsvRow> {
  const say = (is: boolean) => (is ? words.yes : words.no);
  for (let more = true, after = 0; more; ) {
    const page = await listRecipients(owner, no, { after, filter, limit: pageSize });
    for (const { id, name, role, active, shownAt, read, readAt, confirmedAt } of page.people)
      yield [id, name, role, say(active), shownAt, say(read), readAt, ...(confirmable ? [confirmedAt] : [])];
    after = page.people.at(-1)?.id ?? 0;
    more = page.more;
  }
}
