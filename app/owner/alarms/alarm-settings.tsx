'use client';

import '#app/ui/forms/controls.css';
import { Alert, Badge, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import {
  changeAlarmSettingsAction,
  removeAlarmDeviceAction,
  testAlarmDeviceAction,
} from '#app/owner/alarms/actions.ts';
import { type AlarmDevice, alarmDeviceState, forgetAlarms, subscribeAlarms } from '#app/owner/alarms/alarm-device.ts';
import { browserFamily } from '#app/portal/device/browser.ts';
import type { DeviceState } from '#app/ui/device/push-subscription.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { Section } from '#app/ui/frame/page-head.tsx';
import { Item, Items } from '#app/ui/lists/items.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import type { AlarmSettings } from '#server/keys/alarms.ts';
import type { Delivery } from '#server/push/deliver.ts';

type ListedDevice = { id: string; name: string; since: Date; isHere: boolean };

type Props = { publicKey: string; device: AlarmDevice; devices: ListedDevice[] };

/** The devices that get alarms, and the button that adds this one: only then the browser asks. */
export function AlarmDevices({ publicKey, device, devices }: Props) {
  const t = useTranslations('alarmSettings.devices');
  const router = useRouter();
  const [state, setState] = useState<DeviceState | 'asking' | 'failed'>('asking');
  const [busy, setBusy] = useState(false);
  const { account, sessionId } = device;
  const isKnown = devices.some(({ isHere }) => isHere);
  useEffect(() => {
    alarmDeviceState({ account, sessionId }, isKnown).then(setState, () => setState('failed'));
  }, [account, sessionId, isKnown]);
  const subscribe = async () => {
    setBusy(true);
    const now = await subscribeAlarms(publicKey, device).catch(() => 'failed' as const);
    setState(now);
    setBusy(false);
    if (now === 'on') router.refresh();
  };
  return (
    <Stack gap="sm">
      {devices.length > 0 && (
        <Items>
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </Items>
      )}
      {(state === 'off' || state === 'failed') && (
        <Button loading={busy} onClick={() => void subscribe()} style={{ alignSelf: 'flex-start' }}>
          {t('add')}
        </Button>
      )}
      <div role="status">
        <StateText state={state} />
      </div>
    </Stack>
  );
}

function StateText({ state }: { state: DeviceState | 'asking' | 'failed' }) {
  const t = useTranslations('alarmSettings.devices');
  if (state === 'off') return <Text className="fine-print">{t('explain')}</Text>;
  if (state === 'denied') return <Alert color="yellow">{t('denied')}</Alert>;
  if (state === 'failed') return <Alert color="red">{t('failed')}</Alert>;
  if (state !== 'unsupported') return null;
  // Before it is on the home screen, an iPhone has no push.
  const needsHomeScreen = browserFamily(navigator.userAgent) === 'ios';
  return <Alert color={needsHomeScreen ? 'blue' : 'gray'}>{t(needsHomeScreen ? 'ios' : 'unsupported')}</Alert>;
}

const answerTo = (tested: Delivery) =>
  tested === 'delivered' ? 'tested' : tested === 'later' || tested === 'dropped' ? 'testLater' : 'testFailed';

function DeviceRow({ device: { id, name, since, isHere } }: { device: ListedDevice }) {
  const t = useTranslations('alarmSettings.devices');
  const router = useRouter();
  const [tested, setTested] = useState<Delivery>();
  const sentences = { deviceGone: t('gone') };
  const forget = async () => {
    if (isHere) await forgetAlarms();
    router.refresh();
  };
  const testing = useAction(testAlarmDeviceAction, setTested, sentences);
  const removing = useAction(removeAlarmDeviceAction, forget, sentences);
  const test = () => {
    setTested(undefined);
    void testing.run({ id });
  };
  const remove = () => void removing.run({ id });
  const problem = testing.problems.form ?? removing.problems.form;
  return (
    <Item
      name={name}
      badges={isHere && <Badge color="green">{t('here')}</Badge>}
      action={
        <Group gap="xs">
          <Button variant="default" loading={testing.pending} aria-label={t('testNamed', { name })} onClick={test}>
            {t('test')}
          </Button>
          <Button variant="default" loading={removing.pending} aria-label={t('removeNamed', { name })} onClick={remove}>
            {t('remove')}
          </Button>
        </Group>
      }
      data-alarm-device={isHere ? 'here' : 'elsewhere'}
    >
      {t.rich('since', { when: () => <Timestamp at={since} /> })}
      <Text size="sm" role="status">
        {problem ?? (tested ? t(answerTo(tested)) : '')}
      </Text>
    </Item>
  );
}

/** The switches for the kinds of alarm. Each change is saved at once. */
export function AlarmSwitches({ initial }: { initial: AlarmSettings }) {
  const t = useTranslations('alarmSettings');
  const [settings, setSettings] = useState(initial);
  const { run, pending, problems } = useAction(changeAlarmSettingsAction, setSettings);
  return (
    <Section id="alarms" title={t('settingsTitle')} lead={t('settingsLead')}>
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      {(['warnOfRepeats', 'warnOfSilence'] as const).map((name) => (
        <Switch
          key={name}
          label={t(`${name}.label`)}
          description={t(`${name}.text`)}
          checked={settings[name]}
          disabled={pending}
          onChange={(event) => void run({ [name]: event.currentTarget.checked })}
        />
      ))}
    </Section>
  );
}
