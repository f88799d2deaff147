'use client';

import { forgetSubscriptionAction, keepSubscriptionAction } from '#app/portal/device/actions.ts';
import { readStored, store } from '#app/ui/storage/local-storage.ts';

const ownerName = 'device-of';

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
export async function subscribeDevice(publicKey: string, person: string): Promise<DeviceState> {
  if ((await Notification.requestPermission()) !== 'granted') return deviceState();
  const registration = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: asBytes(publicKey) };
  const subscription = await registration.pushManager.subscribe(options).catch(async () => {
    // A subscription for another key (the service has a new secret) is in the way.
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return registration.pushManager.subscribe(options);
  });
  const kept = await hand(subscription);
  if (!('value' in kept)) throw new Error('not kept');
  store(ownerName, person);
  return 'on';
}

/**
 * Makes what the browser believes true again, once per visit: a subscription of this person is
 * handed over anew (their password may have changed since), one of somebody who used this browser
 * before is ended.
 */
export async function renewDevice(person: string): Promise<void> {
  const subscription = await currentSubscription();
  if (!subscription) return;
  if (readStored(ownerName) === person) await hand(subscription);
  else await subscription.unsubscribe();
}

/**
 * Stops notifications on this device, with the browser and with us. Also before a sign-out: the
 * next person is another.
 */
export async function unsubscribeDevice(): Promise<DeviceState> {
  const subscription = await currentSubscription();
  if (subscription) {
    await forgetSubscriptionAction({ endpoint: subscription.endpoint }).catch(() => null);
    await subscription.unsubscribe();
  }
  return deviceState();
}

function hand(subscription: PushSubscription) {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return keepSubscriptionAction({ endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' });
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

/**
 * Registers the service worker and keeps the browser's offer to install for when the person wants
 * it. Asks for nothing.
 */
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
