// "/kirim Judul | Isi" from an allowed number becomes a notification for the employee USER_ID; 0 is everybody.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const {
  NOTIF_KEY,
  USER_ID,
  WHATSAPP_TOKEN,
  WHATSAPP_APP_SECRET,
  WHATSAPP_VERIFY_TOKEN,
  WHATSAPP_SENDERS = '',
  WHATSAPP_API = 'https://graph.facebook.com/v25.0',
  PORT = '8080',
} = process.env;
if (
  !NOTIF_KEY ||
  !USER_ID ||
  !WHATSAPP_TOKEN ||
  !WHATSAPP_APP_SECRET ||
  !WHATSAPP_VERIFY_TOKEN
) {
  console.error(
    'Set NOTIF_KEY, USER_ID, WHATSAPP_TOKEN, WHATSAPP_APP_SECRET and WHATSAPP_VERIFY_TOKEN first.',
  );
  process.exit(1);
}
const allowedSenders = WHATSAPP_SENDERS.split(',').map((number) =>
  number.replace(/\D/g, ''),
);
const mostBytes = 3 * 1024 * 1024;

// Meta delivers a message again when an answer was lost; with its id as Idempotency-Key it is sent once.
async function send(fields, idempotencyKey) {
  for (let left = 3; ; left--) {
    let wait = 5;
    let error = 'Layanan tidak dapat dihubungi. Coba lagi nanti.';
    try {
      const response = await fetch('{{base}}/api/v1/notif.php', {
        method: 'POST',
        headers: {
          'X-API-Key': NOTIF_KEY,
          'Content-Type': 'application/json',
          'Accept-Language': 'id',
          'Idempotency-Key': idempotencyKey,
        },
        body: JSON.stringify(fields),
        signal: AbortSignal.timeout(30_000),
      });
      const answer = await response.json();
      const isReplay = response.headers.has('Idempotent-Replayed');
      if (answer.ok && isReplay && left === 3) return null;
      if (answer.ok) return `Terkirim ke ${answer.terkirim} karyawan.`;
      error = answer.error;
      if (response.status !== 429 && response.status !== 503) return error;
      wait = Number(response.headers.get('Retry-After') ?? wait);
    } catch (failure) {
      console.error(failure.message);
    }
    if (left === 0) return error;
    await pause(wait * 1000);
  }
}

async function answer(message, phoneNumberId) {
  const words = /^\/kirim(?:\s+(.*))?$/is.exec(message.text?.body ?? '');
  if (!words) return;
  if (!allowedSenders.includes(message.from))
    return console.log(`Not allowed: ${message.from}`);
  const reply = async (body) => {
    const response = await fetch(`${WHATSAPP_API}/${phoneNumberId}/messages`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${WHATSAPP_TOKEN}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        messaging_product: 'whatsapp',
        to: message.from,
        context: { message_id: message.id },
        type: 'text',
        text: { body },
      }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok)
      console.error(`WhatsApp ${response.status}: ${await response.text()}`);
  };
  // An Idempotency-Key is kept for 24 hours, but Meta may deliver again for days.
  if (Date.now() / 1000 - Number(message.timestamp) > 12 * 3600)
    return reply('Pesan ini terlambat tiba. Kirim lagi.');
  const [judul = '', ...isi] = (words[1] ?? '').split('|');
  if (isi.length === 0) return reply('Tulis: /kirim Judul | Isi');
  const outcome = await send(
    { judul: judul.trim(), isi: isi.join('|').trim(), user_id: USER_ID },
    message.id,
  );
  if (outcome) await reply(outcome);
}

function isFromMeta(body, signature = '') {
  const given = Buffer.from(signature);
  const right = Buffer.from(
    `sha256=${createHmac('sha256', WHATSAPP_APP_SECRET).update(body).digest('hex')}`,
  );
  return given.length === right.length && timingSafeEqual(given, right);
}

async function readBody(request) {
  const parts = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > mostBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

let queue = Promise.resolve();

async function serve(request, response) {
  const { pathname, searchParams: query } = new URL(`http://bot${request.url}`);
  if (pathname !== '/webhook') return response.writeHead(404).end();
  if (request.method === 'GET') {
    const known =
      query.get('hub.mode') === 'subscribe' &&
      query.get('hub.verify_token') === WHATSAPP_VERIFY_TOKEN;
    if (!known) return response.writeHead(403).end();
    return response
      .writeHead(200, { 'Content-Type': 'text/plain' })
      .end(query.get('hub.challenge'));
  }
  const body = await readBody(request);
  if (!body || !isFromMeta(body, request.headers['x-hub-signature-256']))
    return response.writeHead(401).end();
  const changes = (JSON.parse(body).entry ?? []).flatMap(
    (entry) => entry.changes ?? [],
  );
  response.writeHead(200).end();
  for (const { value } of changes)
    for (const message of value?.messages ?? [])
      queue = queue
        .then(() => answer(message, value.metadata.phone_number_id))
        .catch((error) => console.error(error.message));
}

const server = createServer((request, response) =>
  serve(request, response).catch((error) => {
    console.error(error.message);
    response.destroy();
  }),
);
server.listen(Number(PORT), () =>
  console.log(`Listening on port ${server.address().port}, path /webhook.`),
);
