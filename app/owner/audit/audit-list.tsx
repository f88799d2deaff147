import { Table, TableTbody, TableTd, TableTh, TableThead, TableTr, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Moment } from '#app/ui/moment.tsx';
import type { AuditEntry } from '#server/audit.ts';

/** Entries of the audit log, one row each, in words. */
export async function AuditList({ entries }: { entries: AuditEntry[] }) {
  const t = await getTranslations('audit');
  const describe = await describer();
  return (
    <Table className="rows" verticalSpacing="sm">
      <TableThead>
        <TableTr>
          <TableTh scope="col">{t('time')}</TableTh>
          <TableTh scope="col">{t('who')}</TableTh>
          <TableTh scope="col">{t('what')}</TableTh>
          <TableTh scope="col">{t('reach')}</TableTh>
          <TableTh scope="col">{t('request')}</TableTh>
        </TableTr>
      </TableThead>
      <TableTbody>
        {entries.map((entry) => (
          <TableTr key={entry.id} data-action={entry.action}>
            <TableTd data-label={t('time')}>
              <Moment at={entry.at} />
            </TableTd>
            <TableTd data-label={t('who')}>
              <bdi>{entry.actorKind === 'key' ? t('key', { name: entry.actorName }) : entry.actorName}</bdi>
            </TableTd>
            <TableTd data-label={t('what')}>
              <bdi>{describe(entry)}</bdi>
            </TableTd>
            <TableTd data-label={t('reach')} data-empty={typeof entry.details.reach !== 'number' || undefined}>
              <Reach details={entry.details} zero={t('zero')} />
            </TableTd>
            <TableTd data-label={t('request')}>
              <Text component="code" size="xs" c="dimmed" ff="monospace">
                {entry.requestId}
              </Text>
            </TableTd>
          </TableTr>
        ))}
      </TableTbody>
    </Table>
  );
}

function Reach({ details, zero }: { details: Record<string, unknown>; zero: string }) {
  if (typeof details.reach !== 'number') return '–';
  if (details.reach > 0) return details.reach;
  return (
    <>
      0
      <Text size="xs" c="dimmed">
        {zero}
      </Text>
    </>
  );
}

async function describer(): Promise<(entry: AuditEntry) => string> {
  const t = await getTranslations('audit');
  return ({ action, details }) => {
    const text = (name: string) => String(details[name] ?? '');
    const was = (details.was ?? {}) as { name?: string; role?: string };
    switch (action) {
      case 'notification.send':
        return t('send', {
          title: text('title'),
          recipient: details.recipientName ? text('recipientName') : t('everyone'),
        });
      case 'company.create':
        return t('companyCreate', { name: text('name') });
      case 'key.create':
        return t('keyCreate', { name: text('name'), fingerprint: text('fingerprint') });
      case 'key.revoke':
        return t('keyRevoke', { name: text('name'), fingerprint: text('fingerprint') });
      case 'employee.add':
        return t('employeeAdd', { name: text('name'), role: text('role') });
      case 'employee.edit':
        return t('employeeEdit', {
          before: was.name ?? '',
          beforeRole: was.role ?? '',
          name: text('name'),
          role: text('role'),
        });
      case 'employee.activate':
        return t('employeeActivate', { name: text('name') });
      case 'employee.deactivate':
        return t('employeeDeactivate', { name: text('name') });
      case 'invitation.create':
        return t('invitationCreate', { name: text('name') });
      case 'invitation.accept':
        return t('invitationAccept');
      case 'password.change':
        return t('passwordChange');
      default:
        return t('other', { action });
    }
  };
}
