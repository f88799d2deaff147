'use client';

import { Text } from '@mantine/core';
import { useOriginText } from '#app/owner/keys/call-texts.ts';
import { Moment } from '#app/ui/text/moment.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';
import type { KeyCall } from '#server/keys/key-overview.ts';

/** The time of a call, relative and exact, and its origin. */
export function LastCall({ call }: { call: KeyCall }) {
  const origin = useOriginText()(call);
  return (
    <>
      <TimeAgo at={call.at} />
      <div className="fine-print">
        <Moment at={call.at} />
      </div>
      <Text className="fine-print" lineClamp={3} title={origin}>
        {origin}
      </Text>
    </>
  );
}
