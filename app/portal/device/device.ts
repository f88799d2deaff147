'use client';

import { forgetSubscriptionAction, keepSubscriptionAction } from '#app/portal/device/actions.ts';
import { readStored, store } from '#app/ui/storage/local-storage.ts';

const personKey = 'device-of';

/** Whether this device shows notifications while the portal is closed. */
export type DeviceState = 'on' | 'off' | 'denied' | 'unsupported';

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Returns the state of this device. Never asks the person for anything. */
export async function deviceState(): Promise<DeviceState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return (await currentSubscription()) && Notification.permission === 'granted' ? 'on' : 'off';
}

/**
 * Asks the person for permission and stores the push subscription. Call it only from a click.
 * Throws if the service does not store the subscription.
 */
export async function subscribeDevice(publicKey: string, person: string): Promise<DeviceState> {
  if ((await Notification.requestPermission()) !== 'granted') return deviceState();
  const registration = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: asBytes(publicKey) };
  const subscription = await registration.pushManager.subscribe(options).catch(async () => {
    // A subscription for another key is in the way: the service has a new secret.
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return registration.pushManager.subscribe(options);
  });
  const stored = await storeSubscription(subscription);
  if (!('value' in stored)) throw new Error('subscription not stored');
  store(personKey, person);
  return 'on';
}

/**
 * Stores the subscription of this employee again, once per visit: it ended with the session before.
 * Ends the subscription of another employee who used this browser before.
 */
export async function renewDevice(person: string): Promise<void> {
  const subscription = await currentSubscription();
  if (!subscription) return;
  if (readStored(personKey) === person) await storeSubscription(subscription);
  else await subscription.unsubscribe();
}

/**
 * Ends push notifications on this device, in the browser and in the service. Also called before a
 * sign-out: the next person may be another one.
 */
export async function unsubscribeDevice(): Promise<DeviceState> {
  const subscription = await currentSubscription();
  if (subscription) {
    await forgetSubscriptionAction({ endpoint: subscription.endpoint }).catch(() => null);
    await subscription.unsubscribe();
  }
  return deviceState();
}

function storeSubscription(subscription: PushSubscription) {
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
// The browser offers the prompt once per page, often before a component asks for it.
let installPrompt: InstallPrompt | null = null;
const installSubscribers = new Set<(installable: boolean) => void>();

/**
 * Registers the service worker and keeps the browser's install prompt for later. Asks for nothing.
 */
export function prepareDevice(): void {
  if ('serviceWorker' in navigator) navigator.serviceWorker.register('/service-worker.js').catch(() => {});
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    setInstallPrompt(event as InstallPrompt);
  });
}

/** Calls back whether the portal can be installed as an app. Returns the function that stops it. */
export function onInstallable(subscriber: (installable: boolean) => void): () => void {
  installSubscribers.add(subscriber);
  subscriber(installPrompt !== null);
  return () => installSubscribers.delete(subscriber);
}

/** Opens the browser's dialog that installs the portal. */
export async function offerInstall(): Promise<void> {
  await installPrompt?.prompt();
  setInstallPrompt(null);
}

function setInstallPrompt(prompt: InstallPrompt | null): void {
  installPrompt = prompt;
  for (const subscriber of installSubscribers) subscriber(prompt !== null);
}
