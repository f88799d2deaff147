// "/kirim Judul | Isi" in an allowed chat becomes a notification for the employee USER_ID; 0 is everybody.
import { setTimeout as pause } from 'node:timers/promises';

const {
  NOTIF_KEY,
  USER_ID,
  TELEGRAM_TOKEN,
  TELEGRAM_CHATS = '',
  TELEGRAM_API = 'https://api.telegram.org',
} = process.env;
if (!NOTIF_KEY || !USER_ID || !TELEGRAM_TOKEN) {
  console.error('Set NOTIF_KEY, USER_ID and TELEGRAM_TOKEN first.');
  process.exit(1);
}
const allowedChats = TELEGRAM_CHATS.split(',').map((chat) => chat.trim());

async function telegram(method, fields) {
  const response = await fetch(
    `${TELEGRAM_API}/bot${TELEGRAM_TOKEN}/${method}`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
      signal: AbortSignal.timeout(70_000),
    },
  );
  const { ok, result, description } = await response.json();
  if (!ok) throw new Error(`Telegram: ${description}`);
  return result;
}

// A repeat carries the same Idempotency-Key: it is never sent twice.
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

async function answer({ update_id, message }, bot) {
  const words = /^\/kirim(@\w+)?(?:\s+(.*))?$/is.exec(message?.text ?? '');
  if (
    !words ||
    (words[1] && words[1].toLowerCase() !== `@${bot.username.toLowerCase()}`)
  )
    return;
  const reply = (text) =>
    telegram('sendMessage', {
      chat_id: message.chat.id,
      text,
      reply_parameters: {
        message_id: message.message_id,
        allow_sending_without_reply: true,
      },
    });
  if (!allowedChats.includes(String(message.chat.id)))
    return reply(`Chat ini belum diizinkan (${message.chat.id}).`);
  const [judul = '', ...isi] = (words[2] ?? '').split('|');
  if (isi.length === 0) return reply('Tulis: /kirim Judul | Isi');
  await reply(
    await send(
      { judul: judul.trim(), isi: isi.join('|').trim(), user_id: USER_ID },
      `telegram-${bot.id}-${update_id}`,
    ),
  );
}

const bot = await telegram('getMe', {});
console.log(`@${bot.username} is listening.`);
for (let offset = 0; ; ) {
  try {
    for (const update of await telegram('getUpdates', {
      offset,
      timeout: 50,
      allowed_updates: ['message'],
    })) {
      offset = update.update_id + 1;
      await answer(update, bot);
    }
  } catch (error) {
    console.error(error.message);
    await pause(5000);
  }
}
