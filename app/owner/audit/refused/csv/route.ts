import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import { readRefusalFilter } from '#app/owner/audit/refused/refusal-filter.ts';
import { type RefusalWords, refusalWords } from '#app/owner/audit/refused/refusal-words.ts';
import { csvDownload } from '#app/responses/csv-download.ts';
import { privateJson } from '#app/responses/private-json.ts';
import { authenticateSession } from '#server/accounts/authenticate.ts';
import type { CsvRow } from '#server/exports/csv.ts';
import { type Refused, readRefusals } from '#server/keys/refusals.ts';

/** The refused calls that fit the filters of the page, as CSV. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.owner) return privateJson({ ok: false }, 401);
  const { filter, invalidRequest } = readRefusalFilter(Object.fromEntries(new URL(request.url).searchParams));
  const t = await getTranslations('refusals');
  const columns = ['time', 'key', 'status', 'reason', 'cure', 'operation', 'address', 'client', 'request'] as const;
  const header = [...columns.map((name) => t(name)), t('moreColumn')];
  const refusals = invalidRequest ? [] : readRefusals(session.owner, filter);
  const rows = asRows(refusals, await refusalWords(), t('noKey'));
  return csvDownload('refused', header, rows, await currentLanguage());
}

async function* asRows(
  refusals: AsyncIterable<Refused> | Refused[],
  wordsOf: (refused: Refused) => RefusalWords,
  noKey: string,
): AsyncGenerator<CsvRow> {
  for await (const refused of refusals) {
    const { at, keyName, operation, address, client, requestId, more } = refused;
    const { status, reason, cure } = wordsOf(refused);
    yield [at, keyName ?? noKey, status, reason, cure, operation, address, client, requestId, more];
  }
}
