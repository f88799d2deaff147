'use client';

import { Alert, Button, Group, Stack } from '@mantine/core';
import { useElementSize, useNetwork } from '@mantine/hooks';
import { Siren } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { dismissAlarmAction } from '#app/owner/alarms/actions.ts';
import { AlarmText, GuessingText } from '#app/owner/alarms/alarm-text.tsx';
import { type ShownAlarm, type ShownGuessing, useAlarms } from '#app/owner/alarms/use-alarms.ts';
import { useOfflineGuard } from '#app/owner/alarms/use-offline-guard.ts';
import { revokeKeyAction } from '#app/owner/keys/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { EndedLine, OfflineLine } from '#app/ui/frame/status-line.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';

/**
 * Shows the active alarms above the page. For an owner without a portal (`hasNoPortal`), it also
 * says that the page is offline or that the session has ended. Otherwise the portal says so.
 */
export function AlarmBar({ hasNoPortal = false }: { hasNoPortal?: boolean }) {
  const t = useTranslations('alarms');
  const { online } = useNetwork();
  useOfflineGuard();
  const { alarms, guessing, ended, reload } = useAlarms();
  const { ref, height } = useElementSize();
  // The page reserves the height of the bar, so that the bar covers nothing.
  useEffect(() => document.documentElement.style.setProperty('--alarm-room', `${height}px`), [height]);
  return (
    <>
      <div className="alarm-bar" role="alert" ref={ref}>
        {guessing && <GuessingNote guessing={guessing} />}
        {alarms.map((alarm) => (
          <AlarmNote key={`${alarm.kind}:${alarm.keyId}`} alarm={alarm} onChanged={reload} />
        ))}
      </div>
      {hasNoPortal && (
        <div className="status-bar" role="status">
          {ended ? <EndedLine /> : !online && <OfflineLine text={t('offline')} />}
        </div>
      )}
    </>
  );
}

// It ends by itself an hour after the last wrong password, so nobody dismisses it.
function GuessingNote({ guessing }: { guessing: ShownGuessing }) {
  return (
    <Alert color="red" icon={<Siren aria-hidden />} className="alarm" data-alarm="guessing">
      <GuessingText guessing={guessing} />
    </Alert>
  );
}

function AlarmNote({ alarm, onChanged }: { alarm: ShownAlarm; onChanged: () => void }) {
  const t = useTranslations('alarms');
  const router = useRouter();
  const { kind, keyId, keyName } = alarm;
  const done = () => {
    onChanged();
    router.refresh();
  };
  const sentences = { revokeGone: t('gone'), alarmGone: t('gone') };
  const revoking = useProvedAction(revokeKeyAction, done, sentences);
  const dismissing = useAction(dismissAlarmAction, done, sentences);
  const problem = revoking.problems.form ?? dismissing.problems.form;
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
        {problem && <div>{problem}</div>}
        <Group gap="xs">
          {kind === 'repeated-broadcast' && (
            <Button
              color="red"
              loading={revoking.pending}
              aria-label={t('revokeNamed', { name: keyName })}
              onClick={() => void revoking.run({ id: keyId })}
            >
              {t('revoke')}
            </Button>
          )}
          <Button
            variant="default"
            loading={dismissing.pending}
            aria-label={t('dismissNamed', { name: keyName })}
            onClick={() => void dismissing.run({ kind, keyId })}
          >
            {t('dismiss')}
          </Button>
        </Group>
      </Stack>
      {revoking.dialog}
    </Alert>
  );
}
