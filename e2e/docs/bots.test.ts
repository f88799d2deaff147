import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { allowedChat, startBot, startChatService, startTelegram, telegramToken } from '#e2e/docs/bot.ts';
import { makePlace, readTraces, refusalOf } from '#e2e/support/data/traces.ts';
import { type Failure, startFailingProxy } from '#e2e/support/proxies/proxy.ts';
import { listKeys, revokeKey } from '#server/keys/keys.ts';

// `userId`: the recipient, 0 for everyone. `base`: another address of the service.
type Choices = { userId?: number; base?: string };

async function startTelegramBot(telegram: { url: string }, key: string, { base, userId = 0 }: Choices = {}) {
  const secrets = { 'jss_…': key, '123456:…': telegramToken };
  const people = { 'USER_ID=7': `USER_ID=${userId}`, 'TELEGRAM_CHATS=': `TELEGRAM_CHATS=42, ${allowedChat}` };
  const variables = { TELEGRAM_API: telegram.url };
  return startBot('telegram', { settings: { ...secrets, ...people }, variables, base });
}

const startTelegramPlace = async () => ({ telegram: await startTelegram(), ...(await makePlace('bot telegram')) });

const tooLong = 'é'.repeat(256);

test('Telegram: /kirim from an allowed chat is sent and audited, a refusal is the reply', async () => {
  const { telegram, company, employee, key } = await startTelegramPlace();
  const bot = await startTelegramBot(telegram, key);
  await bot.says(/@ContohBot/);
  telegram.write('/kirim Rapat | Pukul 10 | di aula.\nBawa laporan 😀');
  telegram.write('/kirim@contohbot Dari grup|Isi');
  telegram.write(`/kirim Judul | ${tooLong}`);
  telegram.write('/kirim tanpa garis');
  telegram.write('/kirim@BotLain Bukan | untuk bot ini');
  telegram.write('selamat pagi');
  telegram.write('/kirim Orang luar | mencoba', 99);
  await telegram.heard(5);
  const refusal = await refusalOf(key, { judul: 'Judul', isi: tooLong });
  const refused = [refusal, 'Tulis: /kirim Judul | Isi', 'Chat ini belum diizinkan (99).'];
  expect(telegram.texts()).toEqual(['Terkirim ke 1 karyawan.', 'Terkirim ke 1 karyawan.', ...refused]);
  expect(telegram.said[0]?.fields).toMatchObject({ chat_id: allowedChat, reply_parameters: { message_id: 7000 } });
  expect(await readTraces(company, employee)).toEqual({
    inbox: [
      { title: 'Rapat', body: 'Pukul 10 | di aula.\nBawa laporan 😀' },
      { title: 'Dari grup', body: 'Isi' },
    ],
    audit: ['Rapat', 'Dari grup'].map((title) => ({ key: 'bot telegram', title })),
  });
});

test('Telegram: a message delivered again after the program died is sent once', async () => {
  const { telegram, company, employee, key } = await startTelegramPlace();
  const first = await startTelegramBot(telegram, key);
  telegram.hold(true);
  telegram.write('/kirim Sekali | Saja');
  await telegram.heard(1);
  await first.stop();
  telegram.hold(false);
  await startTelegramBot(telegram, key);
  await telegram.heard(2);
  expect(telegram.texts()).toEqual(['Terkirim ke 1 karyawan.', 'Terkirim ke 1 karyawan.']);
  expect((await readTraces(company, employee)).audit).toHaveLength(1);
});

test('Telegram: after 429, 503 and a lost answer a message is sent once; a revoked key is the reply', async () => {
  const { telegram, company, employee, key } = await startTelegramPlace();
  const proxy = await startFailingProxy(process.env.SERVICE_URL ?? '', [429, 503, 'answer lost']);
  onTestFinished(proxy.stop);
  await company.hire('Orang lain');
  await startTelegramBot(telegram, key, { base: proxy.url, userId: employee.employeeId });
  telegram.write('/kirim Ulang | Isi');
  await telegram.heard(1);
  expect(telegram.texts()).toEqual(['Terkirim ke 1 karyawan.']);
  expect(new Set(proxy.onceKeys)).toEqual(new Set(['telegram-123456-7000']));
  expect(proxy.onceKeys).toHaveLength(4);
  expect((await readTraces(company, employee)).inbox).toHaveLength(1);
  const [made] = await listKeys(company.owner);
  await revokeKey(company.owner, made?.id ?? 0);
  telegram.write('/kirim Dicabut | Isi');
  await telegram.heard(2);
  expect(telegram.texts()[1]).toBe(await refusalOf(key, {}));
});

const secret = 'rahasia aplikasi';
const sender = '6281200000001';

const messageOf = (id: string, body: string, more: { from?: string; timestamp?: string; type?: string } = {}) => ({
  id: `wamid.${id}==`,
  from: sender,
  timestamp: String(Math.floor(Date.now() / 1000)),
  type: 'text',
  text: { body },
  ...more,
});

async function startWhatsAppPlace(failures?: Failure[]) {
  const place = await makePlace('bot whatsapp');
  const proxy = failures && (await startFailingProxy(process.env.SERVICE_URL ?? '', failures));
  if (proxy) onTestFinished(proxy.stop);
  const meta = await startChatService(() => null);
  const settings = {
    'jss_…': place.key,
    'EAAG…': 'EAAG-uji',
    'WHATSAPP_APP_SECRET=…': `WHATSAPP_APP_SECRET=${secret}`,
    'WHATSAPP_VERIFY_TOKEN=…': 'WHATSAPP_VERIFY_TOKEN=kata-sandi',
    'USER_ID=7': failures ? `USER_ID=${place.employee.employeeId}` : 'USER_ID=0',
  };
  const variables = { WHATSAPP_API: meta.url, PORT: '0' };
  const bot = await startBot('whatsapp', { settings, variables, base: proxy?.url });
  const [, port = '', path = ''] = await bot.says(/port (\d+), path (\S+)\./);
  const url = `http://127.0.0.1:${port}${path}`;
  const post = (body: string, signature: string) =>
    fetch(url, { method: 'POST', headers: { 'X-Hub-Signature-256': signature }, body }).then(({ status }) => status);
  const sign = (body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const deliver = (...messages: ReturnType<typeof messageOf>[]) => {
    const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: '106540' }, messages };
    const entry = [{ changes: [{ field: 'messages', value }] }];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
    return post(body, sign(body));
  };
  const texts = () => meta.said.map(({ fields }) => (fields.text as { body: string }).body);
  return { ...place, meta, bot, url, post, sign, deliver, texts };
}

test('WhatsApp: a signed message of an allowed number is sent, audited and answered once', async () => {
  const { company, employee, key, meta, bot, deliver, texts } = await startWhatsAppPlace();
  const notice = messageOf('satu', '/kirim Gudang | Stok opname besok 😀');
  expect(await deliver(notice, messageOf('asing', '/kirim Orang luar | mencoba', { from: '629999' }))).toBe(200);
  await bot.says(/Not allowed: 629999/);
  expect(await deliver(notice)).toBe(200);
  const late = String(Math.floor(Date.now() / 1000) - 24 * 3600);
  await deliver(messageOf('lama', '/kirim Lama | Isi', { timestamp: late }), messageOf('foto', '', { type: 'image' }));
  await deliver(messageOf('dua', `/kirim Judul | ${tooLong}`));
  await meta.heard(3);
  const refusal = await refusalOf(key, { judul: 'Judul', isi: tooLong });
  expect(texts()).toEqual(['Terkirim ke 1 karyawan.', 'Pesan ini terlambat tiba. Kirim lagi.', refusal]);
  expect(meta.said[0]).toMatchObject({
    path: '/106540/messages',
    headers: { authorization: 'Bearer EAAG-uji' },
    fields: { messaging_product: 'whatsapp', to: sender, context: { message_id: notice.id }, type: 'text' },
  });
  expect(await readTraces(company, employee)).toEqual({
    inbox: [{ title: 'Gudang', body: 'Stok opname besok 😀' }],
    audit: [{ key: 'bot whatsapp', title: 'Gudang' }],
  });
});

test('WhatsApp: after a lost answer the send is repeated and its sender learns the result', async () => {
  const { company, employee, meta, deliver, texts } = await startWhatsAppPlace(['answer lost']);
  await company.hire('Orang lain');
  await deliver(messageOf('putus', '/kirim Jawaban | hilang'));
  await meta.heard(1);
  expect(texts()).toEqual(['Terkirim ke 1 karyawan.']);
  expect((await readTraces(company, employee)).inbox).toEqual([{ title: 'Jawaban', body: 'hilang' }]);
});

test('WhatsApp: a request without the right token or signature is refused', async () => {
  const { company, employee, meta, url, post, sign, deliver } = await startWhatsAppPlace();
  const verify = (token: string) =>
    fetch(`${url}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`);
  expect(await (await verify('kata-sandi')).text()).toBe('1158201444');
  expect((await verify('salah')).status).toBe(403);
  expect((await fetch(url.replace('/webhook', '/'))).status).toBe(404);
  const value = { metadata: { phone_number_id: '1' }, messages: [messageOf('palsu', '/kirim Palsu | Isi')] };
  const forged = JSON.stringify({ entry: [{ changes: [{ value }] }] });
  const otherHash = sign(forged).replace('sha256=', 'sha1=');
  for (const signature of ['', 'sha256=', `sha256=${'0'.repeat(64)}`, sign(`${forged} `), otherHash])
    expect(await post(forged, signature)).toBe(401);
  await deliver(messageOf('akhir', '/kirim Asli | Isi'));
  await meta.heard(1);
  expect((await readTraces(company, employee)).inbox).toEqual([{ title: 'Asli', body: 'Isi' }]);
});
