import { forgetStored, readStored, store } from '#app/ui/storage/local-storage.ts';

/** Whether this device shows what is pushed to it. */
export type DeviceState = 'on' | 'off' | 'denied' | 'unsupported';

/** A use of this browser's one push subscription, and the name of the stored value with its person. */
export type PushUse = 'device-of' | 'alarms-of';
const uses: PushUse[] = ['device-of', 'alarms-of'];

export type SubscriptionInput = { endpoint: string; p256dh: string; auth: string };

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Returns the state of this device for a use. Never asks the person for anything. */
export async function stateOfDevice(isUsed: boolean): Promise<DeviceState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return isUsed && (await currentSubscription()) && Notification.permission === 'granted' ? 'on' : 'off';
}

export async function currentSubscription(): Promise<PushSubscription | null> {
  if (!isSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Asks for permission, only in a click, and subscribes. Returns whether it was allowed; throws if not stored. */
export async function subscribeBrowser(
  use: PushUse,
  publicKey: string,
  keep: (subscription: SubscriptionInput) => Promise<object>,
  markOf: (subscription: PushSubscription) => string,
): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const subscription = await subscribeTo(publicKey);
  if (!('value' in (await keep(asInput(subscription))))) throw new Error('subscription not stored');
  store(use, markOf(subscription));
  return true;
}

async function subscribeTo(publicKey: string): Promise<PushSubscription> {
  const registration = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  return registration.pushManager.subscribe(options).catch(async () => {
    // A subscription for another key is in the way: the service has a new secret.
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return registration.pushManager.subscribe(options);
  });
}

/** Subscribes again where the browser has lost the subscription. Null without permission, which it never asks for. */
export async function resubscribe(publicKey: string): Promise<PushSubscription | null> {
  if (!isSupported() || Notification.permission !== 'granted') return null;
  return subscribeTo(publicKey).catch(() => null);
}

/** Ends one use of this browser's subscription, and the subscription with its last use. */
export async function endUse(use: PushUse): Promise<void> {
  forgetStored(use);
  if (uses.every((other) => readStored(other) === null)) await (await currentSubscription())?.unsubscribe();
}

/** What the service stores about a subscription, from the browser's object. */
export function asInput(subscription: PushSubscription): SubscriptionInput {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' };
}
