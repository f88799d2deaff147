import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import { readFilter } from '#app/owner/employees/filter.ts';
import { csvDownload } from '#app/responses/csv-download.ts';
import { requireOwner } from '#server/accounts/require.ts';
import { type EmployeeFilter, eachEmployee } from '#server/employees/employee-list.ts';
import type { CsvRow } from '#server/exports/csv.ts';
import type { Owner } from '#server/principals.ts';

type Translate = Awaited<ReturnType<typeof getTranslations<'employees'>>>;

/** The employees of a filter, all pages of it, as CSV. */
export async function GET(request: Request): Promise<Response> {
  const owner = await requireOwner('/owner/employees');
  const filter = readFilter(Object.fromEntries(new URL(request.url).searchParams));
  const t = await getTranslations('employees');
  const header = [
    ...[t('id'), t('name'), t('role'), t('state'), t('account')],
    ...[t('invitedColumn'), t('seen'), t('soundColumn'), t('devicesColumn'), t('added')],
  ];
  return csvDownload('employees', header, asRows(owner, filter, t), await currentLanguage());
}

async function* asRows(owner: Owner, filter: EmployeeFilter, t: Translate): AsyncGenerator<CsvRow> {
  for await (const { id, name, role, active, username, invitedUntil, portal, devices, addedAt } of eachEmployee(
    owner,
    filter,
  ))
    yield [
      ...[id, name, role, active ? t('active') : t('inactive'), username, invitedUntil],
      ...[portal?.seenAt ?? null, portal?.sound ? t(`sound.${portal.sound}`) : null, devices, addedAt],
    ];
}
