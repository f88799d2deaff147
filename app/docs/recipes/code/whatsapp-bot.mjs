// "/kirim Judul | Isi" from an allowed WhatsApp number becomes a notification.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import {
  readCommand,
  requireVariables,
  sendNotification,
} from './send-notification.mjs';

requireVariables([
  'NOTIF_URL',
  'NOTIF_KEY',
  'USER_ID',
  'WHATSAPP_TOKEN',
  'WHATSAPP_APP_SECRET',
  'WHATSAPP_VERIFY_TOKEN',
]);
const {
  WHATSAPP_TOKEN,
  WHATSAPP_APP_SECRET,
  WHATSAPP_VERIFY_TOKEN,
  WHATSAPP_SENDERS = '',
  WHATSAPP_API = 'https://graph.facebook.com/v25.0',
  PORT = '8080',
} = process.env;
const allowedSenders = WHATSAPP_SENDERS.split(',').map((number) =>
  number.replace(/\D/g, ''),
);
const maxBytes = 3 * 1024 * 1024;

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
  const fields = readCommand(words[1]);
  if (!fields) return reply('Tulis: /kirim Judul | Isi');
  // Meta delivers again if our answer was lost; then the sender has the reply already.
  const sent = await sendNotification(fields, message.id);
  if (!sent.isReplay) await reply(sent.reply);
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
    if (bytes > maxBytes) return null;
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
