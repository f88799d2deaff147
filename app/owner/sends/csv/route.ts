import { getTranslations } from 'next-intl/server';
import { asSendFilter, sayRecipients, sendQuery } from '#app/owner/sends/send-query.ts';
import { type CsvColumn, csvDownload } from '#app/responses/download.ts';
import { readQuery } from '#app/ui/lists/list-query.ts';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { employeeIdOf } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import { countOutcomes, type SendOutcome } from '#server/sends/history/outcomes.ts';
import { listSends, type Send, type SendFilter } from '#server/sends/history/send-list.ts';

// Few enough that the outcomes of a page are counted in time in a company of any size.
const pageSize = 10;

type CountedSend = Send & { outcome: SendOutcome | null };

/** Downloads all sends that match the filters of the page, with their outcomes, as CSV. */
export async function GET(request: Request): Promise<Response> {
  const manager = await requireManager('/owner/sends');
  const filter = asSendFilter(manager, readQuery(sendQuery, new URL(request.url).searchParams));
  const [t, sends] = await Promise.all([getTranslations('sends.csv'), getTranslations('sends')]);
  const kinds = await getTranslations('inbox.kind');
  const columns: CsvColumn<CountedSend>[] = [
    { heading: t('no'), cellOf: ({ no }) => no },
    { heading: t('time'), cellOf: ({ createdAt }) => createdAt },
    { heading: t('sender'), cellOf: ({ sender }) => sender },
    { heading: t('senderKind'), cellOf: ({ isManual }) => (isManual ? t('hand') : t('key')) },
    { heading: t('recipient'), cellOf: (send) => sayRecipients(send, sends('everyone'), sends) },
    { heading: t('recipientId'), cellOf: ({ recipients }) => employeeIdOf(recipients) ?? null },
    { heading: t('title'), cellOf: ({ title }) => title },
    { heading: t('kind'), cellOf: ({ kind }) => kinds(kind) },
    { heading: t('reach'), cellOf: ({ reach }) => reach },
    { heading: t('shown'), cellOf: ({ outcome }) => outcome?.shown ?? null },
    { heading: t('read'), cellOf: ({ outcome }) => outcome?.read ?? null },
    { heading: t('left'), cellOf: ({ reach, outcome }) => outcome && Math.max(0, reach - outcome.read) },
    { heading: t('mustConfirm'), cellOf: ({ mustConfirm }) => (mustConfirm ? t('yes') : t('no_')) },
    { heading: t('confirmed'), cellOf: (send) => (send.mustConfirm ? (send.outcome?.confirmed ?? null) : null) },
    { heading: t('withdrawn'), cellOf: ({ withdrawnAt }) => withdrawnAt },
  ];
  return csvDownload(manager, 'sends', columns, listCountedSends(manager, filter));
}

/** Throws when outcomes cannot be counted in time: better no file than wrong numbers. */
async function* listCountedSends(manager: Manager, filter: SendFilter): AsyncGenerator<CountedSend> {
  for (let before: number | null | undefined; before !== null; ) {
    const page = await listSends(manager, { before, filter, limit: pageSize });
    const numbers = page.sends.map(({ no }) => no);
    const outcomes = await countOutcomes(manager, numbers);
    if (!outcomes) throw new Error('the numbers of a page of sends could not be counted in time');
    for (const send of page.sends) yield { ...send, outcome: outcomes.get(send.no) ?? null };
    before = page.next;
  }
}
