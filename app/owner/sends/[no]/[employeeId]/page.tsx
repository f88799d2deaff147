import { Card, Group, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { PrintButton } from '#app/owner/sends/[no]/[employeeId]/print-button.tsx';
import { ProofFacts } from '#app/owner/sends/[no]/[employeeId]/proof-facts.tsx';
import { CompanyLogo, pictureOf } from '#app/ui/frame/company-logo.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { IdText, NumberText } from '#app/ui/lists/list-query.ts';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireManager } from '#server/accounts/require.ts';
import { findLogo } from '#server/companies/logo.ts';
import { findRecipient, findSend, listReminders } from '#server/sends/details.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('proof'))('title') };
}

type Props = { params: Promise<{ no: string; employeeId: string }> };

export default async function Proof({ params }: Props) {
  const address = await params;
  const manager = await requireManager(`/owner/sends/${address.no}/${address.employeeId}`);
  const no = NumberText.safeParse(address.no).data;
  const employeeId = IdText.safeParse(address.employeeId).data;
  if (no === undefined || employeeId === undefined) notFound();
  const [send, person, reminders, logo] = await Promise.all([
    findSend(manager, no),
    findRecipient(manager, no, employeeId),
    listReminders(manager, no, employeeId),
    findLogo(manager),
  ]);
  if (!send || !person) notFound();
  const t = await getTranslations('proof');
  return (
    <>
      <div className="no-print">
        <TextLink href={`/owner/sends/${no}`}>{t('back')}</TextLink>
      </div>
      {logo && (
        <div className="proof-logo">
          <CompanyLogo logo={pictureOf(logo)} size={40} />
        </div>
      )}
      <PageHead title={t('title')} lead={t('lead', { company: manager.companyName })}>
        <div className="no-print">
          <PrintButton />
        </div>
      </PageHead>
      <Card withBorder>
        <ProofFacts company={manager.companyName} send={send} person={person} reminders={reminders} />
      </Card>
      <Text size="sm" c="dimmed" mt="md">
        {t('meaning')}
      </Text>
      <Group component="p" gap={0} mt="xs" mb={0}>
        <Text component="span" size="sm" c="dimmed">
          {t.rich('madeAtRich', { time: () => <Moment at={new Date()} /> })}
        </Text>
      </Group>
    </>
  );
}
