import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import { readEmployee } from '#app/owner/employees/[id]/read-employee.ts';
import { EmployeeButtons } from '#app/owner/employees/employee-menu.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { Fact, Facts } from '#app/ui/lists/facts.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import type { EmployeeRecord, PortalVisit } from '#server/employees/employee-list.ts';

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { employee } = await readEmployee((await params).id);
  return { title: employee?.name ?? (await getTranslations('employees'))('title') };
}

export default async function Employee({ params }: Props) {
  const { manager, employee } = await readEmployee((await params).id);
  if (!employee) notFound();
  const t = await getTranslations('employees');
  const { id, name, role, staffNumber, active } = employee;
  const byOwner = manager.kind === 'owner';
  return (
    <>
      <TextLink href="/owner/employees">{t('back')}</TextLink>
      <PageHead title={<bdi>{name}</bdi>} lead={<bdi>{role}</bdi>} />
      <Stack>
        <EmployeeButtons employee={employee} company={manager.companyName} byOwner={byOwner} />
        <Section id="data" title={t('dataTitle')}>
          <Facts>
            <Fact name={t('id')}>{id}</Fact>
            {staffNumber && (
              <Fact name={t('staffNumber')}>
                <bdi>{staffNumber}</bdi>
              </Fact>
            )}
            <Fact name={t('state')}>
              <Badge color={active ? 'green' : 'gray'}>{active ? t('active') : t('inactive')}</Badge>
            </Fact>
            <Fact name={t('addedAt')}>
              <Timestamp at={employee.addedAt} />
            </Fact>
          </Facts>
          {!active && <Text c="dimmed">{t('inactiveText')}</Text>}
          {employee.isProtected && <Text c="dimmed">{t('protectedText')}</Text>}
          <Group gap="xl">
            <TextLink href={`/owner/sends?employee=${id}`}>{t('theirSends')}</TextLink>
            {byOwner && <TextLink href={`/owner/audit?employee=${id}`}>{t('theirAudit')}</TextLink>}
          </Group>
        </Section>
        <AccountSection employee={employee} />
        <PortalSection employee={employee} />
      </Stack>
    </>
  );
}

async function AccountSection({ employee: { username, invitedUntil, sessions } }: { employee: EmployeeRecord }) {
  const t = await getTranslations('employees');
  const invited = invitedUntil && (
    <>
      {t('invited')} <Timestamp at={invitedUntil} />
    </>
  );
  return (
    <Section id="account" title={t('account')}>
      <Facts>
        <Fact name={t('username')}>
          {username ? (
            <bdi className="wrapping">{username}</bdi>
          ) : (
            <Text component="span" size="sm" c={invited ? undefined : 'dimmed'}>
              {invited ?? t('noAccount')}
            </Text>
          )}
        </Fact>
        {invitedUntil && (
          <Fact name={t('invitedUntil')}>
            <Timestamp at={invitedUntil} />
          </Fact>
        )}
        {username && <Fact name={t('signedIn')}>{t('sessions', { count: sessions })}</Fact>}
      </Facts>
    </Section>
  );
}

async function PortalSection({ employee: { portals, devices } }: { employee: EmployeeRecord }) {
  const t = await getTranslations('employees');
  return (
    <Section id="portal" title={t('portal')} lead={t('portalLead')}>
      {portals.length === 0 && <Text c="dimmed">{t('neverSeen')}</Text>}
      <Facts>
        {portals.map(({ seenAt, sound }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: browsers have no id, and their order is fixed
          <Fact key={index} name={t('browser', { number: index + 1 })}>
            <Group gap="sm">
              <span>
                {t('seen')} <TimeAgo at={seenAt} /> (<Timestamp at={seenAt} />)
              </span>
              <SoundBadge sound={sound} />
            </Group>
          </Fact>
        ))}
        <Fact name={t('devicesColumn')}>{devices > 0 ? t('devices', { count: devices }) : t('noDevices')}</Fact>
      </Facts>
    </Section>
  );
}

/** The state of the sound that a browser reported; nothing if it reported none. */
function SoundBadge({ sound }: { sound: PortalVisit['sound'] }) {
  const t = useTranslations('employees');
  if (!sound) return null;
  return (
    <Badge size="md" color={sound === 'on' ? 'green' : sound === 'muted' ? 'gray' : 'yellow'}>
      {t(`sound.${sound}`)}
    </Badge>
  );
}
