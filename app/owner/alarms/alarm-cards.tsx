'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Siren } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { dismissAlarmAction, withdrawRepeatsAction } from '#app/owner/alarms/actions.ts';
import { reloadAlarms, type ShownAlarm, type ShownGuessing, useAlarms } from '#app/owner/alarms/use-alarms.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ActionDialog } from '#app/ui/sessions/confirmed-action.tsx';
import { ButtonLink, TextLink } from '#app/ui/text/links.tsx';
import { TimeAgo } from '#app/ui/text/time-ago.tsx';

// The dialog of the keys page: it asks for the name of a key that is in use.
const RevokeKey = whenNeeded(() => import('#app/owner/keys/dialogs/revoke-key.tsx').then(({ RevokeKey }) => RevokeKey));

/**
 * The active alarms with what an owner can do about them, the mildest choice first. Below them an
 * owner without a device (`hasDevice`) learns that a device can get them.
 */
export function AlarmCards({ hasDevice }: { hasDevice: boolean }) {
  const t = useTranslations('alarms.devices');
  const { alarms, guessing } = useAlarms();
  return (
    <div className="alarm-cards" role="alert">
      {guessing && (
        // It ends by itself an hour after the last wrong password, so nobody dismisses it.
        <Alert color="red" icon={<Siren aria-hidden />} className="alarm" data-alarm="guessing">
          <GuessingText guessing={guessing} />
        </Alert>
      )}
      {alarms.map((alarm) => (
        <AlarmCard key={`${alarm.kind}:${alarm.keyId}`} alarm={alarm} />
      ))}
      {!hasDevice && (guessing !== null || alarms.length > 0) && (
        <Text size="sm" c="dimmed">
          {t.rich('offer', {
            settings: (text) => <TextLink href="/owner/settings/alarms#alarm-devices">{text}</TextLink>,
          })}
        </Text>
      )}
    </div>
  );
}

function AlarmCard({ alarm }: { alarm: ShownAlarm }) {
  const t = useTranslations('alarms');
  const router = useRouter();
  const [asking, setAsking] = useState<'withdraw' | 'revoke'>();
  const { kind, keyId, keyName } = alarm;
  const done = () => {
    setAsking(undefined);
    reloadAlarms();
    router.refresh();
  };
  const dismissing = useAction(dismissAlarmAction, done, { alarmGone: t('gone') });
  const search = kind === 'repeated-broadcast' ? `&search=${encodeURIComponent(alarm.title)}` : '';
  return (
    <Alert
      color={kind === 'silent-key' ? 'yellow' : 'red'}
      icon={<Siren aria-hidden />}
      className="alarm"
      data-alarm={kind}
    >
      <Stack gap="xs">
        <div>
          <AlarmText alarm={alarm} />
        </div>
        {dismissing.problems.form && <div>{dismissing.problems.form}</div>}
        <Group gap="xs">
          <ButtonLink href={`/owner/sends?sender=${keyId}${search}`}>{t('seeSends')}</ButtonLink>
          {kind === 'repeated-broadcast' && alarm.standing > 0 && (
            <Button variant="default" onClick={() => setAsking('withdraw')}>
              {t('withdraw', { count: alarm.standing })}
            </Button>
          )}
          {kind === 'repeated-broadcast' && (
            <Button
              variant="default"
              aria-label={t('revokeNamed', { name: keyName })}
              onClick={() => setAsking('revoke')}
            >
              {t('revoke')}
            </Button>
          )}
          <Button
            variant="subtle"
            loading={dismissing.pending}
            aria-label={t('dismissNamed', { name: keyName })}
            onClick={() => void dismissing.run({ kind, keyId })}
          >
            {t('dismiss')}
          </Button>
        </Group>
      </Stack>
      {asking === 'revoke' && (
        <RevokeKey
          apiKey={{ id: keyId, name: keyName, lastUse: lastUseOf(alarm), requests: 'count' in alarm ? alarm.count : 0 }}
          onClose={done}
        />
      )}
      {asking === 'withdraw' && 'standing' in alarm && (
        <ActionDialog
          action={withdrawRepeatsAction}
          input={{ keyId }}
          sentences={{ alarmGone: t('gone') }}
          title={<bdi>{t('withdrawTitle', { count: alarm.standing, title: alarm.title })}</bdi>}
          submit={t('withdraw', { count: alarm.standing })}
          isDestructive
          onClose={() => setAsking(undefined)}
          onDone={done}
        >
          {t('withdrawText')}
        </ActionDialog>
      )}
    </Alert>
  );
}

// Until the dialog knows more: a key that raised this alarm has been in use.
const lastUseOf = ({ at }: ShownAlarm) =>
  at === null ? null : { at: new Date(at), operation: 'send' as const, address: '', client: '' };

/** The text of an alarm: what happened and what it may mean. */
function AlarmText({ alarm }: { alarm: ShownAlarm }) {
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
function GuessingText({ guessing }: { guessing: ShownGuessing }) {
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
