'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ShownAlarm } from '#app/owner/alarms/use-alarms.ts';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';

/** The text of an alarm: what happened and what it may mean. */
export function AlarmText({ alarm }: { alarm: ShownAlarm }) {
  const t = useTranslations('alarms');
  const when = () => (alarm.at ? <TimeAgo at={alarm.at} /> : null);
  return (
    <>
      <Text component="bdi" display="block" fw={600}>
        {alarm.kind === 'repeated-broadcast'
          ? t('repeated', { name: alarm.keyName, count: alarm.count })
          : t('silent', { name: alarm.keyName })}
      </Text>
      <Text component="bdi" display="block" size="sm">
        {alarm.kind === 'repeated-broadcast'
          ? t.rich('repeatedText', { title: alarm.title, when })
          : t.rich(alarm.at ? 'silentText' : 'neverSentText', {
              every: t('every', { minutes: alarm.everyMinutes }),
              when,
            })}
      </Text>
    </>
  );
}
