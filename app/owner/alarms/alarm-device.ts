import { addAlarmDeviceAction } from '#app/owner/alarms/actions.ts';
import {
  asInput,
  currentSubscription,
  type DeviceState,
  endUse,
  stateOfDevice,
  subscribeBrowser,
} from '#app/ui/device/push-subscription.ts';
import { readStored, store } from '#app/ui/storage/local-storage.ts';

const use = 'alarms-of';

/** The account and the session of this browser. The subscription ends with the session. */
export type AlarmDevice = { account: string; sessionId: number };

const sessionOf = ({ account, sessionId }: AlarmDevice) => `${account}:${sessionId}:`;
// Ends with the last characters of the endpoint, which changes when the browser renews its subscription.
const markOf = (device: AlarmDevice, { endpoint }: PushSubscription) => `${sessionOf(device)}${endpoint.slice(-16)}`;
const isStored = (device: AlarmDevice) => readStored(use)?.startsWith(sessionOf(device)) ?? false;

/** The state of this device. Ends a subscription that the service does not know any more. Never asks the person. */
export async function alarmDeviceState(device: AlarmDevice, isKnown: boolean): Promise<DeviceState> {
  if (!isKnown && isStored(device)) await endUse(use);
  return stateOfDevice(isKnown && isStored(device));
}

/** Asks the person for permission and subscribes this device to the alarms. Call it only from a click. */
export async function subscribeAlarms(publicKey: string, device: AlarmDevice): Promise<DeviceState> {
  const mark = (subscription: PushSubscription) => markOf(device, subscription);
  return (await subscribeBrowser(use, publicKey, addAlarmDeviceAction, mark)) ? 'on' : stateOfDevice(false);
}

export const forgetAlarms = () => endUse(use);

/** Subscribes again after a new sign-in or a renewal, and ends another owner's. Returns whether it subscribed. */
export async function renewAlarms(device: AlarmDevice): Promise<boolean> {
  const storedMark = readStored(use);
  if (storedMark === null) return false;
  const subscription = await currentSubscription();
  if (!subscription || !storedMark.startsWith(`${device.account}:`)) {
    await endUse(use);
    return false;
  }
  const mark = markOf(device, subscription);
  if (storedMark === mark) return false;
  const stored = await addAlarmDeviceAction({ ...asInput(subscription), renews: true });
  if ('value' in stored) store(use, mark);
  return 'value' in stored;
}
