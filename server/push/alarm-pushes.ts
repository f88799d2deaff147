import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type Transaction } from '#db/client.ts';
import { makeReconciliation } from '#db/reconciliation.ts';
import { warnOf } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { takeGuessingToPush } from '#server/accounts/sign-in/failed-sign-ins.ts';
import { type EndedSnooze, settleSnooze, takeEndedSnoozes } from '#server/inbox/moves.ts';
import { takeRepeatsToPush, takeSilencesToPush } from '#server/keys/alarms.ts';
import { addPending, deliverPending, type PendingAlarm, takePending } from '#server/push/owner-devices.ts';
import { pushBack } from '#server/push/push.ts';

/**
 * Takes the alarms that opened or grew, and messages that push services did not accept, and begins to push them. Each
 * is pushed by one process: at once, and when it grows at most every hour.
 */
export async function pushAlarms(): Promise<{ pushes: Promise<void>[] }> {
  // One after another, because each holds a connection.
  const messages = await inTransaction(async (tx) => store(tx, await takeRepeatsToPush(tx)));
  messages.push(...(await storeSilences()));
  messages.push(...(await inTransaction(async (tx) => store(tx, await takeGuessingToPush(tx)))));
  messages.push(...(await takePending()));
  return { pushes: messages.map(pushAlarm) };
}

// In the transaction that takes them: a process that dies after it loses none.
async function store(tx: Transaction, alarms: Parameters<typeof addPending>[1][]): Promise<PendingAlarm[]> {
  const messages: PendingAlarm[] = [];
  for (const alarm of alarms) {
    const added = await addPending(tx, alarm);
    if (added.length > 0) metrics()?.count('alarm_pushes', alarm.kind);
    messages.push(...added);
  }
  return messages;
}

async function storeSilences(): Promise<PendingAlarm[]> {
  const messages: PendingAlarm[] = [];
  for (let isAll = false; !isAll; )
    await inTransaction(async (tx) => {
      const silences = await takeSilencesToPush(tx);
      messages.push(...(await store(tx, silences.silent)));
      isAll = silences.isAll;
    });
  return messages;
}

// Not awaited: a busy push service does not delay the alarms of other companies.
const pushAlarm = (message: PendingAlarm): Promise<void> =>
  deliverPending(message).catch(warnOf('an alarm could not be pushed', { companyId: message.companyId }));

/** Takes the ended snoozes and begins to push their notifications to their people's devices, each by one process. */
export async function pushEndedSnoozes(): Promise<{ pushes: Promise<void>[] }> {
  return { pushes: (await takeEndedSnoozes()).map(pushEndedSnooze) };
}

const pushEndedSnooze = (snooze: EndedSnooze): Promise<void> =>
  pushBack(snooze)
    .then(() => settleSnooze(snooze))
    .catch(warnOf('the end of a snooze could not be pushed', { companyId: snooze.companyId }));

const running = new Set<Promise<void>>();

async function beginPushes(): Promise<void> {
  const begun = await Promise.all([pushAlarms(), pushEndedSnoozes()]);
  for (const push of begun.flatMap(({ pushes }) => pushes)) {
    running.add(push);
    void push.finally(() => running.delete(push));
  }
}

const reconciliation = makeReconciliation(10_000, beginPushes, 'alarms and ended snoozes could not be looked for');

/** Starts to push, every 10 s, the alarms that are due and what came back from a snooze. Idempotent. */
export const startAlarmPushes = reconciliation.start;

/** Stops the reconciliation and waits up to 3 s for running pushes. Others push the rest. */
export async function stopAlarmPushes(): Promise<void> {
  await reconciliation.stop();
  await Promise.race([Promise.all(running), sleep(3000, undefined, { ref: false })]);
}
