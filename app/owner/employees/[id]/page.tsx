import { Badge, Group, Stack, Text } from '@mantine/core';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { cache } from 'react';
import { EmployeeButtons } from '#app/owner/employees/employee-menu.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { FactRows, TechnicalFacts } from '#app/ui/lists/facts.tsx';
import { IdText } from '#app/ui/lists/list-query.ts';
import { ConfirmedBy } from '#app/ui/sessions/sign-in-sections.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { findEmployee } from '#server/employees/employee-list.ts';

type Props = PageProps<'/owner/employees/[id]'>;

const readEmployee = cache(async (text: string) => {
  const id = IdText.safeParse(text).data;
  const manager = await requireManager(`/owner/employees/${id ?? ''}`);
  return { manager, employee: id === undefined ? null : await findEmployee(manager, id) };
});

export async function generateMetadata({ params }: Props) {
  const { employee } = await readEmployee((await params).id);
  return { title: employee?.name ?? (await getTranslations('employees'))('title') };
}

export default async function Employee({ params }: Props) {
  const { manager, employee } = await readEmployee((await params).id);
  if (!employee) notFound();
  const t = await getTranslations('employees');
  const { id, name, role, staffNumber, active, username, invitedUntil, sessions, confirmation, portals, devices } =
    employee;
  const byOwner = manager.kind === 'owner';
  const state = <Badge color={active ? 'green' : 'gray'}>{active ? t('active') : t('inactive')}</Badge>;
  const counted = devices > 0 ? t('devices', { count: devices }) : t('noDevices');
  const browsers = portals.map(({ seenAt, sound }, index) => ({
    name: t('browser', { number: index + 1 }),
    value: (
      <Group gap="sm">
        <span>
          {t('seen')} <TimeAgo at={seenAt} /> (<Timestamp at={seenAt} />)
        </span>
        {sound && (
          <Badge color={sound === 'on' ? 'green' : sound === 'muted' ? 'gray' : 'yellow'}>{t(`sound.${sound}`)}</Badge>
        )}
      </Group>
    ),
  }));
  return (
    <>
      <PageHead back={{ href: '/owner/employees', text: t('back') }} title={<bdi>{name}</bdi>} lead={<bdi>{role}</bdi>}>
        <EmployeeButtons employee={employee} byOwner={byOwner} />
      </PageHead>
      <Stack>
        <Section id="data" title={t('dataTitle')}>
          <FactRows
            rows={[
              staffNumber !== null && { name: t('staffNumber'), value: <bdi>{staffNumber}</bdi> },
              { name: t('state'), value: state },
              { name: t('addedAt'), value: <Timestamp at={employee.addedAt} /> },
            ]}
          />
          <TechnicalFacts rows={[{ name: t('id'), value: id }]} />
          {!active && <Text c="dimmed">{t('inactiveText')}</Text>}
          {employee.isProtected && <Text c="dimmed">{t('protectedText')}</Text>}
          <Group gap="xl">
            <TextLink href={`/owner/sends?employee=${id}`}>{t('theirSends')}</TextLink>
            {byOwner && <TextLink href={`/owner/audit?employee=${id}`}>{t('theirAudit')}</TextLink>}
          </Group>
        </Section>
        <Section id="account" title={t('account')}>
          <FactRows
            rows={[
              {
                name: t('username'),
                value: username ? <bdi>{username}</bdi> : <span className="dimmed">{t('noAccount')}</span>,
              },
              invitedUntil !== null && { name: t('invitedUntil'), value: <Timestamp at={invitedUntil} /> },
              username !== null && { name: t('signedIn'), value: t('sessions', { count: sessions }) },
            ]}
          />
          {confirmation && <ConfirmedBy confirmation={confirmation} />}
        </Section>
        <Section id="portal" title={t('portal')} lead={t('portalLead')}>
          {portals.length === 0 && <Text c="dimmed">{t('neverSeen')}</Text>}
          <FactRows rows={[...browsers, { name: t('devicesColumn'), value: counted }]} />
        </Section>
      </Stack>
    </>
  );
}
