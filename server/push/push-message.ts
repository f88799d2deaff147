import { createECDH, hkdfSync } from 'node:crypto';
import webPush from 'web-push';
import { authSecret, env } from '#server/env.ts';

/** Where a device takes messages and the keys it decrypts them with (RFC 8030, RFC 8291), as a browser hands them out. */
export type Subscription = { endpoint: string; p256dh: string; auth: string };

type VapidKeys = { publicKey: string; privateKey: string };
let keys: VapidKeys | undefined;

// Follows from AUTH_SECRET like the set-up code: every process has the same keys, nothing is stored, and a new secret ends them.
function vapidKeys(): VapidKeys {
  keys ??= makeKeys();
  return keys;
}

function makeKeys(): VapidKeys {
  const curve = createECDH('prime256v1');
  for (let attempt = 0; ; attempt++) {
    const secret = Buffer.from(hkdfSync('sha256', authSecret(), '', `VAPID key ${attempt}`, 32));
    try {
      curve.setPrivateKey(secret);
      return { publicKey: curve.getPublicKey('base64url'), privateKey: secret.toString('base64url') };
    } catch {
      // One in 2^32 is no valid scalar.
    }
  }
}

/** The key a browser subscribes with (RFC 8292), in base64url. */
export const vapidPublicKey = (): string => vapidKeys().publicKey;

const knownServices = [
  /^fcm\.googleapis\.com$/,
  /\.push\.services\.mozilla\.com$/,
  /\.push\.apple\.com$/,
  /\.notify\.windows\.com$/,
];

/** Whether an address belongs to a push service of a browser's maker, or to one named in PUSH_SERVICES. We post to no other. */
export function isPushService(endpoint: string): boolean {
  if (!URL.canParse(endpoint) || endpoint.length > 2000) return false;
  const { origin, protocol, hostname, port, username } = new URL(endpoint);
  if (env().PUSH_SERVICES.includes(origin)) return true;
  return protocol === 'https:' && port === '' && username === '' && knownServices.some((known) => known.test(hostname));
}

const mostAudiences = 100;
const headerLivesMs = 60 * 60 * 1000;
const vapidHeaders = new Map<string, { value: string; madeAt: number }>();

function vapidHeaderFor(audience: string): string {
  const made = vapidHeaders.get(audience);
  if (made && Date.now() - made.madeAt < headerLivesMs) return made.value;
  const subject = `mailto:notifications@${new URL(env().APP_URL).hostname}`;
  const { publicKey, privateKey } = vapidKeys();
  const value = webPush.getVapidHeaders(audience, subject, publicKey, privateKey, 'aes128gcm').Authorization;
  if (vapidHeaders.size >= mostAudiences) vapidHeaders.clear();
  vapidHeaders.set(audience, { value, madeAt: Date.now() });
  return value;
}

const secondsKept = 24 * 60 * 60;
const timeoutMs = 10_000;

/**
 * Sends one encrypted message to a device; its push service keeps it for a day. `'gone'` when the subscription will never work
 * again; `'later'` with a number of seconds when the service is busy; `'failed'` when there is no sense in trying again.
 */
export async function postMessage(
  { endpoint, p256dh, auth }: Subscription,
  payload: string,
): Promise<'delivered' | 'gone' | 'failed' | { retryAfterS: number }> {
  const { cipherText } = webPush.encrypt(p256dh, auth, payload, 'aes128gcm');
  const response = await fetch(endpoint, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      TTL: String(secondsKept),
      Urgency: 'high',
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': 'aes128gcm',
      Authorization: vapidHeaderFor(new URL(endpoint).origin),
    },
    body: new Uint8Array(cipherText),
  }).catch(() => null);
  await response?.body?.cancel();
  if (!response) return { retryAfterS: 5 };
  if (response.ok) return 'delivered';
  // 403 also stands for a subscription made with other VAPID keys, as after a new AUTH_SECRET.
  if ([401, 403, 404, 410].includes(response.status)) return 'gone';
  if (response.status === 429 || response.status >= 500)
    return { retryAfterS: Math.min(60, Number(response.headers.get('retry-after')) || 5) };
  return 'failed';
}
