import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import { readSendFilter } from '#app/owner/sends/send-filter.ts';
import { csvDownload } from '#app/responses/csv-download.ts';
import { requireOwner } from '#server/accounts/require.ts';
import type { CsvRow } from '#server/exports/csv.ts';
import type { Owner } from '#server/principals.ts';
import { listSends, type SendFilter } from '#server/sends/list.ts';
import { countOutcomes } from '#server/sends/numbers.ts';

// Few enough that their numbers are counted in time at any size of company.
const pageSize = 10;

/** The sends that the page's filters show, all of them, with their numbers. */
export async function GET(request: Request): Promise<Response> {
  const owner = await requireOwner('/owner/sends');
  const filter = readSendFilter(Object.fromEntries(new URL(request.url).searchParams));
  const [t, kind, locale] = await Promise.all([
    getTranslations('sends.csv'),
    getTranslations('inbox.kind'),
    currentLanguage(),
  ]);
  const columns = [
    ...(['no', 'time', 'sender', 'senderKind', 'recipient', 'recipientId', 'title', 'kind', 'reach', 'shown'] as const),
    ...(['read', 'left', 'mustConfirm', 'confirmed', 'withdrawn'] as const),
  ];
  const everyone = (await getTranslations('sends'))('everyone');
  const words = { t, kind, everyone };
  return csvDownload(
    'sends',
    columns.map((name) => t(name)),
    rowsOf(owner, filter, words),
    locale,
  );
}

type Words = {
  t: Awaited<ReturnType<typeof getTranslations<'sends.csv'>>>;
  kind: Awaited<ReturnType<typeof getTranslations<'inbox.kind'>>>;
  everyone: string;
};

async function* rowsOf(owner: Owner, filter: SendFilter, { t, kind, everyone }: Words): AsyncGenerator<CsvRow> {
  for (let before: number | null | undefined; before !== null; ) {
    const page = await listSends(owner, { before, filter, limit: pageSize });
    const outcomes = await countOutcomes(
      owner,
      page.sends.map(({ no }) => no),
    );
    // A file with holes would be taken for the truth: the download breaks off instead.
    if (!outcomes) throw new Error('the numbers of a page of sends could not be counted in time');
    for (const send of page.sends) {
      const counted = outcomes.get(send.no) ?? (send.reach === 0 ? { shown: 0, read: 0, confirmed: 0 } : null);
      yield [
        ...[send.no, send.createdAt, send.sender, send.byHand ? t('hand') : t('key')],
        ...[send.recipientId === null ? everyone : send.recipientName, send.recipientId, send.title, kind(send.kind)],
        ...[
          send.reach,
          counted?.shown ?? null,
          counted?.read ?? null,
          counted && Math.max(0, send.reach - counted.read),
        ],
        ...[
          send.mustConfirm ? t('yes') : t('no_'),
          send.mustConfirm ? (counted?.confirmed ?? null) : null,
          send.withdrawnAt,
        ],
      ];
    }
    before = page.next;
  }
}
