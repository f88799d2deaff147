import {
  Configuration,
  FailureFromJSON,
  type Notification,
  NotificationsApi,
  ReadAksiEnum,
  ResponseError,
} from './client';

const { NOTIF_URL = '', NOTIF_KEY = '', NOTIF_EMPLOYEE } = process.env;

// A function would be called for both ways of authentication, and a key goes into one header only.
const clientWith = (key: string) =>
  new NotificationsApi(new Configuration({ basePath: NOTIF_URL, headers: { 'X-API-Key': key } }));

const notification = (changes: Partial<Notification> = {}): Notification => ({
  judul: 'Gaji November',
  isi: 'Slip gaji sudah tersedia.',
  userId: Number(NOTIF_EMPLOYEE),
  jenis: 'gaji',
  url: '/portal/notifications',
  ...changes,
});

async function printFailure(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return false;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const failure = FailureFromJSON(await error.response.json());
    if (failure.ok !== false) throw error;
    console.log(error.response.status, failure.code, failure.field ?? '-');
    return true;
  }
}

async function main() {
  const api = clientWith(NOTIF_KEY);
  const ping = await api.read({ aksi: ReadAksiEnum.Ping });
  if (ping.ok !== true) throw new Error('ok');
  console.log(`ping: ${ping.perusahaan}, ${ping.key}`);
  const { karyawan = [] } = await api.read({ aksi: ReadAksiEnum.Karyawan });
  for (const { userId, nama } of karyawan) console.log('karyawan:', userId, nama);
  const sent = await api.send({ notification: notification(), idempotencyKey: 'gaji-2026-11' });
  if (sent.ok !== true) throw new Error('ok');
  console.log('terkirim:', sent.terkirim);
  await printFailure(clientWith('jss_salah').read({ aksi: ReadAksiEnum.Ping }));
  await printFailure(api.send({ notification: notification({ judul: '   ' }) }));
  await printFailure(api.send({ notification: notification({ url: '/.//evil.example' }) }));
  await printFailure(api.send({ notification: notification({ userId: 2_147_483_647 }) }));
  for (let attempt = 0; attempt < 130; attempt++) if (await printFailure(api.read({ aksi: ReadAksiEnum.Ping }))) break;
}

main();
