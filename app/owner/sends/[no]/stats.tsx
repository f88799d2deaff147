import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import type { Owner } from '#server/principals.ts';
import type { SendDetails } from '#server/sends/details.ts';
import { countOutcomes } from '#server/sends/outcomes.ts';

type Props = { owner: Owner; send: SendDetails };

/** The reach and the outcome of a send. The outcome follows when it is counted. */
export function Stats({ owner, send }: Props) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: send.mustConfirm ? 6 : 4 }} spacing="sm" m={0}>
      <Stat name="reach" value={send.reach} />
      {send.reach > 0 && (
        <Suspense fallback={<Counting send={send} />}>
          <Counted owner={owner} send={send} />
        </Suspense>
      )}
    </SimpleGrid>
  );
}

const namesFor = ({ mustConfirm }: SendDetails) =>
  mustConfirm ? (['shown', 'read', 'left', 'confirmed', 'unconfirmed'] as const) : (['shown', 'read', 'left'] as const);

function Counting({ send }: { send: SendDetails }) {
  return namesFor(send).map((name) => <Stat key={name} name={name} value={null} />);
}

async function Counted({ owner, send }: Props) {
  const t = await getTranslations('sends');
  const outcome = (await countOutcomes(owner, [send.no]))?.get(send.no);
  if (!outcome) return <Text component="dd">{t('uncounted')}</Text>;
  const left = Math.max(0, send.reach - outcome.read);
  const unconfirmed = Math.max(0, send.reach - outcome.confirmed);
  const values = { ...outcome, left, unconfirmed };
  return namesFor(send).map((name) => <Stat key={name} name={name} value={values[name]} />);
}

async function Stat({
  name,
  value,
}: {
  name: 'reach' | 'shown' | 'read' | 'left' | 'confirmed' | 'unconfirmed';
  value: number | null;
}) {
  const t = await getTranslations('sends.stats');
  return (
    <Paper withBorder p="sm" data-stat={name}>
      <Text component="dt" size="sm" c="dimmed">
        {t(name)}
      </Text>
      <Text component="dd" fz={24} fw={700} m={0} lh={1.3}>
        {value ?? <Skeleton component="span" display="inline-block" height={24} width={40} />}
      </Text>
    </Paper>
  );
}
