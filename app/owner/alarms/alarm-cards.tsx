'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Siren } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { dismissAlarmAction, withdrawRepeatsAction } from '#app/owner/alarms/actions.ts';
import { AlarmText, GuessingText } from '#app/owner/alarms/alarm-text.tsx';
import { reloadAlarms, type ShownAlarm, useAlarms } from '#app/owner/alarms/use-alarms.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';

// The dialog of the keys page: it asks for the name of a key that is in use.
const RevokeKey = whenNeeded(() => import('#app/owner/keys/revoke-key.tsx').then(({ RevokeKey }) => RevokeKey));

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
        <Withdraw
          keyId={keyId}
          title={alarm.title}
          count={alarm.standing}
          onDone={done}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Alert>
  );
}

// Until the dialog knows more: a key that raised this alarm has been in use.
const lastUseOf = ({ at }: ShownAlarm) =>
  at === null ? null : { at: new Date(at), operation: 'send' as const, address: '', client: '' };

function Withdraw({
  keyId,
  title,
  count,
  onDone,
  onClose,
}: {
  keyId: number;
  title: string;
  count: number;
  onDone: () => void;
  onClose: () => void;
}) {
  const t = useTranslations('alarms');
  const { run, pending, problems } = useAction(withdrawRepeatsAction, onDone, { alarmGone: t('gone') });
  return (
    <ConfirmDialog
      title={<bdi>{t('withdrawTitle', { count, title })}</bdi>}
      submit={t('withdraw', { count })}
      isDestructive
      problem={problems.form}
      pending={pending}
      onClose={onClose}
      onConfirm={() => void run({ keyId })}
    >
      {t('withdrawText')}
    </ConfirmDialog>
  );
}
