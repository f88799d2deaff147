import { createDecipheriv, createECDH, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '#e2e/support/running.ts';

/** What a browser tells a service about its subscription, and how the device reads a message. */
export type DeviceKeys = { p256dh: string; auth: string; decrypt: (body: Buffer) => unknown };

export function makeDeviceKeys(): DeviceKeys {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const auth = randomBytes(16);
  const read = (body: Buffer) => JSON.parse(decrypt(body, keys, auth).toString());
  return { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url'), decrypt: read };
}

// Decrypts as a receiver does (RFC 8291, RFC 8188).
function decrypt(body: Buffer, keys: ReturnType<typeof createECDH>, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const shared = keys.computeSecret(senderKey);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey]);
  const secret = Buffer.from(hkdfSync('sha256', shared, auth, info, 32));
  const pseudoRandom = createHmac('sha256', salt).update(secret).digest();
  const derive = (label: string, length: number) =>
    createHmac('sha256', pseudoRandom)
      .update(Buffer.concat([Buffer.from(label), Buffer.from([1])]))
      .digest()
      .subarray(0, length);
  const key = derive('Content-Encoding: aes128gcm\0', 16);
  const nonce = derive('Content-Encoding: nonce\0', 12);
  const opener = createDecipheriv('aes-128-gcm', key, nonce);
  opener.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([opener.update(sealed.subarray(0, -16)), opener.final()]);
  return padded.subarray(0, padded.lastIndexOf(2));
}

/**
 * Starts a push service. Each device has a path of its own; `answers` has the status of one that is not 201, and
 * `messagesOf` what it accepted. `retryAfter` is what the service says with 503.
 */
export async function startPushService(port = 0, retryAfter?: string) {
  const posts: { path: string; headers: IncomingHttpHeaders; body: Buffer; status: number }[] = [];
  const answers = new Map<string, () => number>();
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    const post = { path, headers, body: Buffer.alloc(0), status: answers.get(path)?.() ?? 201 };
    posts.push(post);
    post.body = await buffer(request);
    response.writeHead(post.status, post.status === 503 && retryAfter ? { 'retry-after': retryAfter } : {}).end();
  });
  const { url, stop } = await listen(server, port);
  const messagesOf = <Message>({ path, keys }: { path: string; keys: DeviceKeys }) =>
    posts
      .filter((post) => post.path === path && post.status === 201 && post.body.length > 0)
      .map(({ body }) => keys.decrypt(body) as Message);
  return { origin: url, posts, answers, messagesOf, stop };
}

/** Three processes sweep at once, beside those of the service under test. What they push arrives. */
export async function sweepAtOnce(sweep: () => Promise<{ pushes: Promise<unknown>[] }>): Promise<void> {
  const sweeps = await Promise.all([sweep(), sweep(), sweep()]);
  await Promise.all(sweeps.flatMap(({ pushes }) => pushes));
}

/** The port of the tests' push service. The runner chooses it and configures the service under test with it. */
export const pushServicePort = Number(process.env.TEST_PUSH_PORT ?? 0);

/** The port of the push service for the alarms of owners, chosen in the same way. */
export const alarmPushPort = Number(process.env.TEST_ALARM_PUSH_PORT ?? 0);
