import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { forgetCard, rememberCard } from '#app/portal/device/browser.ts';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';
import type { InitialPortal } from '#app/portal/live/store/portal-state.ts';
import { forgetSubscriptionAction, keepSubscriptionAction } from '#app/portal/notification/actions.ts';
import {
  asInput,
  currentSubscription,
  type DeviceState,
  endUse,
  resubscribe,
  stateOfDevice,
  subscribeBrowser,
} from '#app/ui/device/push-subscription.ts';
import { forgetStored, readStored } from '#app/ui/storage/local-storage.ts';

const personKey = 'device-of';

const deviceState = (person: string): Promise<DeviceState> => stateOfDevice(readStored(personKey) === person);

// The subscription of this browser. One that the browser has lost is made again, if this employee wanted it.
async function findSubscription(person: string, pushKey: string): Promise<PushSubscription | null> {
  const subscription = await currentSubscription();
  return subscription ?? (readStored(personKey) === person ? resubscribe(pushKey) : null);
}

/** Stores the subscription again, once a visit. Ends another employee's, and an owner's unless `keepsAlarms`. */
export async function renewDevice({ person, pushKey }: InitialPortal, keepsAlarms: boolean): Promise<void> {
  const isWanted = readStored(personKey) === person;
  const subscription = await findSubscription(person, pushKey);
  if (!subscription && isWanted) {
    forgetStored(personKey);
    forgetCard();
  }
  if (!subscription) return;
  if (!keepsAlarms) await endUse('alarms-of');
  if (isWanted) await keepSubscriptionAction(asInput(subscription));
  else await endUse(personKey);
}

/** Ends all pushes to this browser and closes what it shows, before a sign-out: the next person may be another one. */
export async function leaveDevice(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  await endUse('alarms-of');
  await endPushes();
}

async function endPushes(): Promise<void> {
  const subscription = await currentSubscription();
  if (subscription) await forgetSubscriptionAction({ endpoint: subscription.endpoint }).catch(() => null);
  await endUse(personKey);
}

type InstallPrompt = Event & { prompt: () => Promise<void> };
// The browser offers the prompt once per page, often before a component asks for it.
let installPrompt: InstallPrompt | null = null;

export function prepareDevice(): void {
  if ('serviceWorker' in navigator) navigator.serviceWorker.register('/service-worker.js').catch(() => {});
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installPrompt = event as InstallPrompt;
  });
}

/** Returns a function that offers to install the portal as an app, or null where that is not possible. */
export function useInstall(): (() => Promise<void>) | null {
  const [prompt, setPrompt] = useState<InstallPrompt | null>(null);
  useEffect(() => setPrompt(installPrompt), []);
  useWindowEvent('beforeinstallprompt', (event) => setPrompt(event as Event as InstallPrompt));
  if (!prompt) return null;
  return async () => {
    await prompt.prompt();
    installPrompt = null;
    setPrompt(null);
  };
}

/** The state of this device, and a function that switches its notifications, only from a click. */
export function useDevice() {
  const { person, pushKey } = usePortal().initial;
  const [state, setState] = useState<DeviceState | 'asking' | 'failed'>('asking');
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    findSubscription(person, pushKey)
      .then(() => deviceState(person))
      .then(setState, () => setState('failed'));
  }, [person, pushKey]);
  const choose = async (on: boolean) => {
    setBusy(true);
    const change = on ? subscribeBrowser(personKey, pushKey, keepSubscriptionAction, () => person) : endPushes();
    const now = await change.then(() => deviceState(person)).catch(() => 'failed' as const);
    if (now === 'on') rememberCard();
    setState(now);
    setBusy(false);
  };
  return { state, busy, choose };
}
