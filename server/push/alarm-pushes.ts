import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { takeGuessingToPush } from '#server/accounts/guesses.ts';
import { takeRepeatsToPush, takeSilencesToPush } from '#server/keys/alarms-to-push.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/meters.ts';
import { asAlarmPayload, type DeviceAlarm } from '#server/push/alarm-payload.ts';
import { deliverToOwner, listAlarmDevices } from '#server/push/owner-devices.ts';

const sweepMs = 10_000;
const maxStopMs = 3000;

/**
 * Takes all alarms that opened or grew, of all companies, and begins to push them to the owners'
 * devices. Any number of processes may do so at once: each alarm is pushed by one of them. An alarm
 * that opens is pushed at once, one that grows at most every hour. Returns the pushes that began.
 */
export async function pushAlarms(): Promise<{ pushes: Promise<void>[] }> {
  const [repeats, silences, guessing] = await Promise.all([
    takeRepeatsToPush(),
    takeSilencesToPush(),
    takeGuessingToPush(),
  ]);
  const alarms = [...repeats, ...silences, ...guessing.map((one) => ({ kind: 'guessing' as const, ...one }))];
  return { pushes: alarms.map(pushAlarm) };
}

// Not awaited by the sweep: a busy push service does not delay the alarms of other companies.
async function pushAlarm(alarm: Exclude<DeviceAlarm, { kind: 'test' }>): Promise<void> {
  try {
    const devices = await listAlarmDevices(alarm);
    if (devices.length > 0) meters()?.count('alarm_pushes', alarm.kind);
    await Promise.all(devices.map((device) => deliverToOwner(device, asAlarmPayload(alarm, device.language))));
  } catch (error) {
    log().warn({ err: error, companyId: alarm.companyId }, 'an alarm could not be pushed');
  }
}

let timer: NodeJS.Timeout | undefined;
// One sweep at a time, and the pushes that it began.
let sweep: Promise<void> | undefined;
const running = new Set<Promise<void>>();

async function pushInTurn(): Promise<void> {
  try {
    for (const push of (await pushAlarms()).pushes) {
      running.add(push);
      void push.finally(() => running.delete(push));
    }
  } catch (error) {
    // An unreachable database is asked again by the next sweep.
    if (!isDatabaseUnavailable(error)) log().warn({ err: error }, 'alarms could not be looked for');
  }
}

/** Starts the sweep: every 10 s this process pushes the alarms that are due. Idempotent. */
export function startAlarmPushes(): void {
  const begin = () => {
    sweep ??= pushInTurn().finally(() => {
      sweep = undefined;
    });
  };
  timer ??= setInterval(begin, sweepMs).unref();
}

/** Stops the sweep and waits up to 3 s for what is being pushed. Other machines push the rest. */
export async function stopAlarmPushes(): Promise<void> {
  clearInterval(timer);
  timer = undefined;
  await sweep;
  await Promise.race([Promise.all(running), sleep(maxStopMs, undefined, { ref: false })]);
}
