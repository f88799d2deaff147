import { Card, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { cache, Suspense } from 'react';
import { ShareBar } from '#app/ui/pictures/pictures.tsx';
import type { Manager } from '#server/principals.ts';
import type { SendDetails } from '#server/sends/history/details.ts';
import { countOutcomes } from '#server/sends/history/outcomes.ts';

type Props = { manager: Manager; send: SendDetails };

// Figures and picture show the same count.
const findOutcome = cache(async (manager: Manager, no: number) => (await countOutcomes(manager, [no]))?.get(no));

/** The reach and the outcome of a send. The outcome follows when it is counted. */
export function Stats({ manager, send }: Props) {
  return (
    <Card>
      <SimpleGrid component="dl" cols={send.mustConfirm ? { base: 3, md: 6 } : 4} spacing="xs" m={0}>
        <Stat name="reach" value={send.reach} />
        {send.reach > 0 && (
          <Suspense fallback={<Counting send={send} />}>
            <Counted manager={manager} send={send} />
          </Suspense>
        )}
      </SimpleGrid>
      {send.reach > 0 && (
        <Suspense fallback={<Skeleton height={8} mt="md" />}>
          <Picture manager={manager} send={send} />
        </Suspense>
      )}
    </Card>
  );
}

const namesFor = ({ mustConfirm }: SendDetails) =>
  mustConfirm ? (['shown', 'read', 'left', 'confirmed', 'unconfirmed'] as const) : (['shown', 'read', 'left'] as const);

function Counting({ send }: { send: SendDetails }) {
  return namesFor(send).map((name) => <Stat key={name} name={name} value={null} />);
}

async function Counted({ manager, send }: Props) {
  const t = await getTranslations('sends');
  const outcome = await findOutcome(manager, send.no);
  if (!outcome) return <Text component="dd">{t('uncounted')}</Text>;
  const left = Math.max(0, send.reach - outcome.read);
  const unconfirmed = Math.max(0, send.reach - outcome.confirmed);
  const values = { ...outcome, left, unconfirmed };
  return namesFor(send).map((name) => <Stat key={name} name={name} value={values[name]} />);
}

/** A bar of the recipients: who read the send, who only saw it, who did neither. */
async function Picture({ manager, send }: Props) {
  const t = await getTranslations('sends');
  const outcome = await findOutcome(manager, send.no);
  if (!outcome) return null;
  const { read, shown } = outcome;
  return (
    <div className="stats-picture">
      <ShareBar
        label={t('readOf', { read, reach: send.reach })}
        total={send.reach}
        parts={[
          { label: t('stats.read'), value: read, tone: 'accent' },
          { label: t('stats.shown'), value: Math.max(0, shown - read), tone: 'soft' },
        ]}
      />
    </div>
  );
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
    <div className="figure" data-stat={name}>
      <Text component="dt" size="sm" c="dimmed">
        {t(name)}
      </Text>
      <Text component="dd" className="large-figure">
        {value ?? <Skeleton component="span" display="inline-block" height={24} width={40} />}
      </Text>
    </div>
  );
}
