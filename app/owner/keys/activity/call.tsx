import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import type { KeyCall } from '#server/keys/key-overview.ts';

/** Returns a function that describes the origin of a call: "from 203.0.113.7 · curl/8.5". */
export function useOriginText(): (call: Pick<KeyCall, 'address' | 'client'>) => string {
  const t = useTranslations('keys');
  return ({ address, client }) => (client ? t('fromClient', { address, client }) : t('from', { address }));
}

export function LastCall({ call }: { call: KeyCall }) {
  const origin = useOriginText()(call);
  return (
    <>
      <TimeAgo at={call.at} />
      <div className="fine-print">
        <Timestamp at={call.at} />
      </div>
      <Text className="fine-print" lineClamp={3} title={origin}>
        {origin}
      </Text>
    </>
  );
}
