import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import { makeDescriber } from '#app/owner/audit/describe.ts';
import { asAuditFilter, readAuditSearch } from '#app/owner/audit/read-filter.ts';
import { csvDownload } from '#app/responses/csv-download.ts';
import { currentSession } from '#server/accounts/require.ts';
import { type AuditEntry, walkAudit } from '#server/audit/list.ts';
import type { CsvRow } from '#server/exports/csv.ts';

/** The audit log of the signed-in owner's company with the filters of the page, whole. */
export async function GET(request: Request): Promise<Response> {
  const owner = (await currentSession())?.owner;
  if (!owner) return new Response(null, { status: 401 });
  const search = readAuditSearch(Object.fromEntries(new URL(request.url).searchParams));
  const t = await getTranslations('audit');
  const describe = await makeDescriber();
  const header = ['number', 'time', 'who', 'kind', 'what', 'recipient', 'reach', 'result', 'request'] as const;
  const asRow = (entry: AuditEntry): CsvRow => {
    const reach = typeof entry.details.reach === 'number' ? entry.details.reach : null;
    const result = reach === null ? null : reach > 0 ? t('reached') : t('nobody');
    const words = [describe.actor(entry), entry.action, describe.event(entry), describe.recipient(entry)];
    return [entry.id, entry.at, ...words, reach, result, entry.requestId];
  };
  const entries = walkAudit(owner, await asAuditFilter(owner, search));
  const rows = (async function* () {
    for await (const entry of entries) yield asRow(entry);
  })();
  return csvDownload(
    'audit',
    header.map((name) => t(name)),
    rows,
    await currentLanguage(),
  );
}
