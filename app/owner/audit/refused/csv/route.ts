import { getTranslations } from 'next-intl/server';
import {
  asRejectedFilter,
  getRejectedRequestTexts,
  rejectedQuery,
} from '#app/owner/audit/refused/rejected-requests.ts';
import { type CsvColumn, csvDownload } from '#app/responses/csv-download.ts';
import { privateJson } from '#app/responses/responses.ts';
import { readQuery } from '#app/ui/lists/list-query.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { ownerOf } from '#server/accounts/sign-in/require.ts';
import { type RejectedRequest, walkRejectedRequests } from '#server/keys/rejected-requests.ts';

/** Downloads all rejected requests that match the filters of the page, as CSV. */
export async function GET(request: Request): Promise<Response> {
  const owner = ownerOf(await authenticateSession(request.headers.get('cookie')), '/owner/audit');
  if (!owner) return privateJson({ ok: false }, 401);
  const filter = asRejectedFilter(owner, readQuery(rejectedQuery, new URL(request.url).searchParams));
  const t = await getTranslations('refusals');
  const textOf = await getRejectedRequestTexts();
  const columns: CsvColumn<RejectedRequest>[] = [
    { heading: t('time'), cellOf: ({ at }) => at },
    { heading: t('key'), cellOf: ({ keyName }) => keyName ?? t('noKey') },
    { heading: t('status'), cellOf: (refused) => textOf(refused).status },
    { heading: t('reason'), cellOf: (refused) => textOf(refused).reason },
    { heading: t('cure'), cellOf: (refused) => textOf(refused).cure },
    { heading: t('operation'), cellOf: ({ operation }) => operation },
    { heading: t('address'), cellOf: ({ address }) => address },
    { heading: t('client'), cellOf: ({ client }) => client },
    { heading: t('request'), cellOf: ({ requestId }) => requestId },
    { heading: t('moreColumn'), cellOf: ({ more }) => more },
  ];
  const refusals = filter === 'not-a-request-id' ? [] : walkRejectedRequests(owner, filter);
  return csvDownload(owner, 'refused', columns, refusals);
}
