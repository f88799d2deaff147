// Shared by the bots: reads "/kirim Title | Text" and sends it as a notification.
import { setTimeout as pause } from 'node:timers/promises';

const { NOTIF_URL, NOTIF_KEY, USER_ID } = process.env;

/** Ends the program unless each of these environment variables is set. */
export function requireVariables(names) {
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length === 0) return;
  console.error(`Set ${missing.join(', ')} first.`);
  process.exit(1);
}

/** Title and text of "Title | Text", or null without "|". */
export function readCommand(text) {
  const [judul = '', ...isi] = (text ?? '').split('|');
  if (isi.length === 0) return null;
  return { judul: judul.trim(), isi: isi.join('|').trim() };
}

/**
 * Sends to the employee USER_ID; 0 is everyone. After 429, 503 or a lost
 * answer it tries up to 3 times more with the same Idempotency-Key, so that
 * the service sends once. Returns the reply for the person who wrote, and
 * whether an earlier run of this program had sent the message already.
 */
export async function sendNotification(fields, idempotencyKey) {
  for (let left = 3; ; left--) {
    let wait = 5;
    let reply = 'Layanan tidak dapat dihubungi. Coba lagi nanti.';
    try {
      const response = await fetch(`${NOTIF_URL}/api/v1/notif.php`, {
        method: 'POST',
        headers: {
          'X-API-Key': NOTIF_KEY,
          'Content-Type': 'application/json',
          'Accept-Language': 'id',
          'Idempotency-Key': idempotencyKey,
        },
        body: JSON.stringify({ ...fields, user_id: USER_ID }),
        signal: AbortSignal.timeout(30_000),
      });
      const answer = await response.json();
      const isReplay =
        response.headers.has('Idempotent-Replayed') && left === 3;
      if (answer.ok)
        return { reply: `Terkirim ke ${answer.terkirim} karyawan.`, isReplay };
      reply = answer.error;
      if (response.status !== 429 && response.status !== 503)
        return { reply, isReplay: false };
      wait = Number(response.headers.get('Retry-After') ?? wait);
    } catch (failure) {
      console.error(failure.message);
    }
    if (left === 0) return { reply, isReplay: false };
    await pause(wait * 1000);
  }
}
