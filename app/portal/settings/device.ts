'use client';

import { forgetSubscriptionAction, keepSubscriptionAction } from '#app/portal/actions.ts';

/** Whether this device takes notifications while the portal is closed. */
export type DeviceState = 'on' | 'off' | 'denied' | 'unsupported';

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** What the browser says about this device. Never asks for anything. */
export async function deviceState(): Promise<DeviceState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return (await currentSubscription()) && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Asks the browser for permission and hands the subscription over; only from a press. */
export async function subscribeDevice(publicKey: string): Promise<DeviceState> {
  if ((await Notification.requestPermission()) !== 'granted') return deviceState();
  const registration = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: asBytes(publicKey) };
  const subscription = await registration.pushManager.subscribe(options).catch(async () => {
    // A subscription for another key (the service has a new secret) is in the way.
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return registration.pushManager.subscribe(options);
  });
  const { endpoint, keys = {} } = subscription.toJSON();
  const kept = await keepSubscriptionAction({
    endpoint: endpoint ?? '',
    p256dh: keys.p256dh ?? '',
    auth: keys.auth ?? '',
  });
  if (!('value' in kept)) throw new Error('not kept');
  return 'on';
}

/** Stops notifications on this device, with the browser and with us. Also before a sign-out: the next person is another. */
export async function unsubscribeDevice(): Promise<DeviceState> {
  const subscription = await currentSubscription();
  if (subscription) {
    await forgetSubscriptionAction({ endpoint: subscription.endpoint }).catch(() => null);
    await subscription.unsubscribe();
  }
  return deviceState();
}

async function currentSubscription(): Promise<PushSubscription | null> {
  if (!isSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

function asBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

type InstallPrompt = Event & { prompt: () => Promise<void> };
let prompt: InstallPrompt | null = null;
const installWatchers = new Set<(installable: boolean) => void>();

/** Registers the service worker and keeps the browser's offer to install for when the person wants it. Asks for nothing. */
export function prepareDevice(): void {
  if ('serviceWorker' in navigator) navigator.serviceWorker.register('/service-worker.js').catch(() => {});
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    prompt = event as InstallPrompt;
    for (const tell of installWatchers) tell(true);
  });
}

/** Calls back whether the portal can be installed as an app; returns how to stop. */
export function onInstallable(tell: (installable: boolean) => void): () => void {
  installWatchers.add(tell);
  tell(prompt !== null);
  return () => installWatchers.delete(tell);
}

/** Shows the browser's own dialog that installs the portal. */
export async function offerInstall(): Promise<void> {
  await prompt?.prompt();
  prompt = null;
  for (const tell of installWatchers) tell(false);
}
