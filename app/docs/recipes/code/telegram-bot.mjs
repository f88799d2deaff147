// "/kirim Judul | Isi" in an allowed Telegram chat becomes a notification.
import { setTimeout as pause } from 'node:timers/promises';
import {
  readCommand,
  requireVariables,
  sendNotification,
} from './send-notification.mjs';

requireVariables(['NOTIF_URL', 'NOTIF_KEY', 'USER_ID', 'TELEGRAM_TOKEN']);
const {
  TELEGRAM_TOKEN,
  TELEGRAM_CHATS = '',
  TELEGRAM_API = 'https://api.telegram.org',
} = process.env;
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
  const fields = readCommand(words[2]);
  if (!fields) return reply('Tulis: /kirim Judul | Isi');
  const key = `telegram-${bot.id}-${update_id}`;
  await reply((await sendNotification(fields, key)).reply);
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
