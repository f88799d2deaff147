import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import { asRefusalFilter, refusalQuery } from '#app/owner/audit/refused/refusal-query.ts';
import { getRefusalTexts } from '#app/owner/audit/refused/refusal-texts.ts';
import { type CsvColumn, csvDownload } from '#app/responses/csv-download.ts';
import { privateJson } from '#app/responses/private-json.ts';
import { readQuery } from '#app/ui/lists/list-query.ts';
import { authenticateSession } from '#server/accounts/authenticate.ts';
import { type RefusedCall, readRefusals } from '#server/keys/refusals.ts';

/** Downloads all refused calls that match the filters of the page, as CSV. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.owner) return privateJson({ ok: false }, 401);
  const filter = asRefusalFilter(session.owner, readQuery(refusalQuery, new URL(request.url).searchParams));
  const t = await getTranslations('refusals');
  const textOf = await getRefusalTexts();
  const columns: CsvColumn<RefusedCall>[] = [
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
  const refusals = filter === 'not-a-request-id' ? [] : readRefusals(session.owner, filter);
  return csvDownload('refused', columns, refusals, await currentLanguage());
}
