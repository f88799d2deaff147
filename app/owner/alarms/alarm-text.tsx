'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ShownAlarm, ShownGuessing } from '#app/owner/alarms/use-alarms.ts';
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

/** The text of the alarm that someone guesses passwords: whose, how often, and what to do. */
export function GuessingText({ guessing }: { guessing: ShownGuessing }) {
  const t = useTranslations('alarms');
  const { names, more, failures, addresses, since } = guessing;
  return (
    <>
      <Text component="bdi" display="block" fw={600}>
        {t('guessing', { names: names.join(', '), more })}
      </Text>
      <Text component="bdi" display="block" size="sm">
        {t.rich('guessingText', { failures, addresses, when: () => <TimeAgo at={since} /> })}
      </Text>
    </>
  );
}
