import { createECDH, createHash, hkdfSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import webPush from 'web-push';
import { byId, db, type Transaction } from '#db/client.ts';
import { and, desc, eq, gt, notInArray, type PgTable, sql } from '#db/drizzle.cjs';
import { ownerDevices, pushSubscriptions, sessions } from '#db/schema/tables.ts';
import { authSecret } from '#platform/config/identity.ts';
import { env } from '#platform/config/settings.ts';
import { metrics } from '#platform/log/metrics.ts';

/** A browser's push subscription: its endpoint (RFC 8030) and its keys (RFC 8291). */
export type Subscription = { endpoint: string; p256dh: string; auth: string };

let keys: ReturnType<typeof makeKeys> | undefined;

const vapidKeys = () => (keys ??= makeKeys());

// Derived from AUTH_SECRET: every process has the same keys, and none are stored.
function makeKeys() {
  const curve = createECDH('prime256v1');
  for (let attempt = 0; ; attempt++) {
    const secret = Buffer.from(hkdfSync('sha256', authSecret(), '', `VAPID key ${attempt}`, 32));
    try {
      curve.setPrivateKey(secret);
      return { publicKey: curve.getPublicKey('base64url'), privateKey: secret.toString('base64url') };
    } catch {
      // About one in 2^32 hashes is not a valid scalar of the curve. Try the next one.
    }
  }
}

/** The public key that browsers subscribe with (RFC 8292), in base64url. */
export const vapidPublicKey = (): string => vapidKeys().publicKey;

const vendorServices = [
  /^fcm\.googleapis\.com$/,
  /\.push\.services\.mozilla\.com$/,
  /\.push\.apple\.com$/,
  /\.notify\.windows\.com$/,
];

/** Whether an endpoint belongs to a browser vendor or an origin in PUSH_SERVICES: no other host is called. */
export function isPushService(endpoint: string): boolean {
  if (!URL.canParse(endpoint) || endpoint.length > 2000) return false;
  const { origin, protocol, hostname, port, username } = new URL(endpoint);
  if (env().PUSH_SERVICES.includes(origin)) return true;
  return (
    protocol === 'https:' && port === '' && username === '' && vendorServices.some((vendor) => vendor.test(hostname))
  );
}

const vapidHeaders = new Map<string, { value: string; madeAt: number }>();

function vapidHeader(audience: string): string {
  const cached = vapidHeaders.get(audience);
  if (cached && Date.now() - cached.madeAt < 60 * 60 * 1000) return cached.value;
  const subject = `mailto:${env().PUSH_CONTACT}`;
  const { publicKey, privateKey } = vapidKeys();
  const value = webPush.getVapidHeaders(audience, subject, publicKey, privateKey, 'aes128gcm').Authorization;
  if (vapidHeaders.size >= 100) vapidHeaders.clear();
  vapidHeaders.set(audience, { value, madeAt: Date.now() });
  return value;
}

/**
 * Posts a message, which the push service keeps for 24 hours. `'gone'`: the subscription has ended. `retryAfterS`: busy
 * or unreachable. `'failed'`: refused.
 */
async function postMessage(
  { endpoint, p256dh, auth }: Subscription,
  payload: string,
): Promise<'delivered' | 'gone' | 'failed' | { retryAfterS: number }> {
  const { cipherText } = webPush.encrypt(p256dh, auth, payload, 'aes128gcm');
  const response = await fetch(endpoint, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
    headers: {
      TTL: String(24 * 60 * 60),
      Urgency: 'high',
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': 'aes128gcm',
      Authorization: vapidHeader(new URL(endpoint).origin),
    },
    body: new Uint8Array(cipherText),
  }).catch(() => null);
  await response?.body?.cancel();
  if (!response) return { retryAfterS: 5 };
  if (response.ok) return 'delivered';
  // 403 also means a subscription made with other VAPID keys, as after a change of AUTH_SECRET.
  if ([401, 403, 404, 410].includes(response.status)) return 'gone';
  if (response.status === 429 || response.status >= 500)
    return { retryAfterS: Math.min(60, Number(response.headers.get('retry-after')) || 5) };
  return 'failed';
}

// One queue for all companies: encrypting and posting must not slow down the public interface.
const pushQueue = pLimit(16);

export const hashOf = (endpoint: string): Buffer => createHash('sha256').update(endpoint).digest();

/** Stores a subscription until its session ends. An endpoint is of its last person, who keeps the 10 newest devices. */
export async function subscribe(
  tx: Transaction,
  { companyId, sessionId }: { companyId: number; sessionId: number },
  person: { employeeId: number } | { accountId: number },
  { endpoint, p256dh, auth }: Subscription,
): Promise<{ client: string } | 'session-ended'> {
  // Before the other locks, in the order in which the end of a session takes them.
  const isOpen = and(byId(sessions, { companyId }, sessionId), gt(sessions.expiresAt, sql`now()`));
  const query = db(tx).select({ client: sessions.client }).from(sessions).where(isOpen);
  const [session] = await query.for('key share');
  if (!session) return 'session-ended';
  const device = { companyId, endpointHash: hashOf(endpoint), endpoint, p256dh, auth, sessionId };
  const ofEmployee = 'employeeId' in person;
  const table = ofEmployee ? pushSubscriptions : ownerDevices;
  await db(tx).delete(table).where(eq(table.endpointHash, device.endpointHash));
  await (ofEmployee
    ? db(tx)
        .insert(pushSubscriptions)
        .values({ ...device, ...person })
    : db(tx)
        .insert(ownerDevices)
        .values({ ...device, ...person }));
  const isTheirs = and(
    eq(table.companyId, companyId),
    ofEmployee ? eq(pushSubscriptions.employeeId, person.employeeId) : eq(ownerDevices.accountId, person.accountId),
  );
  const { endpointHash, createdAt } = table;
  const devices = db(tx)
    .select({ endpointHash })
    .from(table as PgTable)
    .where(isTheirs);
  const areOld = notInArray(endpointHash, devices.orderBy(desc(createdAt)).limit(10));
  await db(tx).delete(table).where(and(isTheirs, areOld));
  return session;
}

/** `renew`: the message as it is now, or null when the device must not get it. `forget`: the subscription has ended. */
type SubscriptionState = { renew: () => Promise<string | null>; forget: () => Promise<unknown> };

/** The outcome: `'ended'` when `renew` returned null, `'later'` after the last attempt. */
export type Delivery = 'delivered' | 'gone' | 'failed' | 'later' | 'dropped' | 'ended';

/**
 * Posts a message, up to `attempts` times while its push service is busy. One that waited longer than a second is
 * renewed first. Forgets a subscription that has ended.
 */
export async function deliver(
  device: Subscription,
  payload: string,
  { renew, forget }: SubscriptionState,
  attempts = 3,
): Promise<Delivery> {
  const listedAt = performance.now();
  for (let attempt = 1; ; attempt++) {
    if (pushQueue.pendingCount > 10_000) {
      metrics()?.count('push_messages', 'dropped');
      return 'dropped';
    }
    const outcome = await pushQueue(async () => {
      // A message may wait for minutes, in the queue or for a busy push service.
      const isRecent = performance.now() - listedAt < 1000;
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
