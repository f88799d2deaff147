import { getTranslations } from 'next-intl/server';
import { asAuditFilter, auditQuery } from '#app/owner/audit/audit-query.ts';
import { makeDescriber } from '#app/owner/audit/describe.ts';
import { type CsvColumn, csvDownload } from '#app/responses/download.ts';
import { readQuery } from '#app/ui/lists/list-query.ts';
import { currentSession, ownerOf } from '#server/accounts/sign-in/require.ts';
import { type AuditEntry, walkAudit } from '#server/audit/list.ts';

export async function GET(request: Request): Promise<Response> {
  const owner = ownerOf(await currentSession(), '/owner/audit');
  if (!owner) return new Response(null, { status: 401 });
  const filter = await asAuditFilter(owner, readQuery(auditQuery, new URL(request.url).searchParams));
  const t = await getTranslations('audit');
  const describe = await makeDescriber();
  const reachOf = ({ details: { reach } }: AuditEntry) => (typeof reach === 'number' ? reach : null);
  const resultOf = (reach: number | null) => (reach === null ? null : reach > 0 ? t('reached') : t('nobody'));
  const columns: CsvColumn<AuditEntry>[] = [
    { heading: t('number'), cellOf: ({ id }) => id },
    { heading: t('time'), cellOf: ({ at }) => at },
    { heading: t('who'), cellOf: describe.actor },
    { heading: t('kind'), cellOf: ({ action }) => action },
    { heading: t('what'), cellOf: describe.event },
    { heading: t('recipient'), cellOf: describe.recipient },
    { heading: t('reach'), cellOf: reachOf },
    { heading: t('result'), cellOf: (entry) => resultOf(reachOf(entry)) },
    { heading: t('request'), cellOf: ({ requestId }) => requestId },
  ];
  return csvDownload(owner, 'audit', columns, walkAudit(owner, filter));
}
