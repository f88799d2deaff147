import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Transaction } from '#db/client.ts';
import { metrics } from '#platform/log/metrics.ts';
import { postMessage, type Subscription } from '#server/push/push-message.ts';

const maxDevices = 10;
const maxAttempts = 3;
const maxQueued = 10_000;
const recheckAfterMs = 1000;

// One queue for all companies: encrypting and posting must not slow down the public interface.
const pushQueue = pLimit(16);

/** The hash by which a subscription is stored and found. */
export const hashOf = (endpoint: string): Buffer => createHash('sha256').update(endpoint).digest();

/** Who gets the pushes of a device: an employee, or an owner who gets alarms. */
export type DeviceOwner =
  | { table: 'push_subscriptions'; column: 'employee_id'; id: number }
  | { table: 'owner_devices'; column: 'account_id'; id: number };

/**
 * Stores a subscription, which ends with its session. An endpoint belongs to one person: on a
 * shared device the last one to subscribe. The 10 newest devices of a person stay subscribed.
 */
export async function subscribe(
  tx: Transaction,
  { companyId, sessionId }: { companyId: number; sessionId: number },
  { table, column, id }: DeviceOwner,
  { endpoint, p256dh, auth }: Subscription,
): Promise<void> {
  await tx`delete from ${tx(table)} where endpoint_hash = ${hashOf(endpoint)}`;
  await tx`
    insert into ${tx(table)} (company_id, ${tx(column)}, endpoint_hash, endpoint, p256dh, auth, session_id)
    values (${companyId}, ${id}, ${hashOf(endpoint)}, ${endpoint}, ${p256dh}, ${auth}, ${sessionId})`;
  const theirs = tx`from ${tx(table)} where company_id = ${companyId} and ${tx(column)} = ${id}`;
  await tx`
    delete ${theirs} and endpoint_hash not in (
      select endpoint_hash ${theirs} order by created_at desc limit ${maxDevices})`;
}

/**
 * What to do about a message that has waited, and about a subscription that has ended. `renew`
 * returns the message as it is now, or null when this device must not get it any more.
 */
export type SubscriptionState = { renew: () => Promise<string | null>; forget: () => Promise<unknown> };

/** The outcome: `'ended'` when `renew` returned null, `'later'` after the last attempt. */
export type Delivery = 'delivered' | 'gone' | 'failed' | 'later' | 'dropped' | 'ended';

/**
 * Posts a message to a device, up to `attempts` times (default 3) while its push service is busy.
 * One that waited longer than a second is renewed first. Forgets a subscription that has ended.
 */
export async function deliver(
  device: Subscription,
  payload: string,
  { renew, forget }: SubscriptionState,
  attempts = maxAttempts,
): Promise<Delivery> {
  const listedAt = performance.now();
  for (let attempt = 1; ; attempt++) {
    if (pushQueue.pendingCount > maxQueued) {
      metrics()?.count('push_messages', 'dropped');
      return 'dropped';
    }
    const outcome = await pushQueue(async () => {
      // A message may wait for minutes, in the queue or for a busy push service.
      const isRecent = performance.now() - listedAt < recheckAfterMs;
      const message = isRecent ? payload : await renew();
      return message === null ? 'ended' : postMessage(device, message);
    });
    if (outcome === 'ended') return outcome;
    metrics()?.count('push_messages', typeof outcome === 'string' ? outcome : 'later');
    if (outcome === 'gone') await forget();
    if (typeof outcome === 'string') return outcome;
    if (attempt === attempts) return 'later';
    // Outside of the queue: a busy push service does not delay other devices.
    await sleep(outcome.retryAfterS * 1000, undefined, { ref: false });
  }
}
