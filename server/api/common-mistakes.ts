import type { Failure, Language } from '#server/api/failures.ts';
import { findKey } from '#server/api/key-header.ts';
import { type NotifRequest, readAction, readFields, readIdempotencyKey, unknownAction } from '#server/api/request.ts';
import { failureOf, ReadInput, SendInput } from '#server/api/wire.ts';
import { generateKey } from '#server/keys/keys.ts';

/** A request with a mistake that many make: `about` says which, in both languages. */
export type Lesson = { name: string; about: Record<Language, string>; request: Request };

type Request = { method: 'GET' | 'POST'; search: string; headers: Record<string, string>; body: string | Uint8Array };

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const fine = '{"judul": "Rapat", "isi": "Pukul 10"}';

/** Every lesson; `key` is a well-formed key to send them with. What is missing of a request is as it should be. */
export function listLessons(key: string): Lesson[] {
  const withKey = { 'X-API-Key': key };
  const get = (search: string, headers: Request['headers'] = withKey): Request => ({
    method: 'GET',
    search,
    headers,
    body: '',
  });
  const post = (labels: Request['headers'], body: Request['body']): Request => ({
    ...{ method: 'POST', search: '', headers: { ...withKey, ...labels }, body },
  });
  const field = (name: string, written: string) =>
    post(json, `{"judul": "Rapat", "isi": "Pukul 10", "${name}": ${written}}`);
  const lesson = (name: string, en: string, id: string, request: Request): Lesson => ({
    name,
    about: { en, id },
    request,
  });
  return [
    lesson(
      'no-bearer',
      'Authorization without the word Bearer',
      'Authorization tanpa kata Bearer',
      get('?aksi=ping', { Authorization: key }),
    ),
    lesson(
      'bearer-in-x-api-key',
      'Bearer in X-API-Key',
      'Kata Bearer di X-API-Key',
      get('?aksi=ping', { 'X-API-Key': `Bearer ${key}` }),
    ),
    lesson(
      'basic',
      'The key as user name of Basic',
      'Kunci sebagai nama pengguna Basic',
      get('?aksi=ping', { Authorization: `Basic ${btoa(`${key}:`)}` }),
    ),
    lesson(
      'quotes',
      'Quotes around the key',
      'Kunci di dalam tanda kutip',
      get('?aksi=ping', { 'X-API-Key': `"${key}"` }),
    ),
    lesson('query', 'The key in the address', 'Kunci di alamat (URL)', get(`?aksi=ping&key=${key}`, {})),
    lesson(
      'both',
      'The key in both headers',
      'Kunci di kedua header',
      get('?aksi=ping', { ...withKey, Authorization: `Bearer ${key}` }),
    ),
    lesson(
      'cut-off',
      'A key that lost its end',
      'Kunci yang terpotong',
      get('?aksi=ping', { 'X-API-Key': key.slice(0, 40) }),
    ),
    lesson('other-parameter', 'Another parameter instead of aksi', 'Parameter lain, bukan aksi', get('?action=ping')),
    lesson('capitals', 'aksi in capitals', 'aksi dengan huruf besar', get('?aksi=PING')),
    lesson(
      'json-as-form',
      'JSON labelled as a form (curl -d without -H)',
      'JSON berlabel formulir (curl -d tanpa -H)',
      post(form, fine),
    ),
    lesson('form-as-json', 'A form labelled as JSON', 'Formulir berlabel JSON', post(json, 'judul=Rapat&isi=Pukul+10')),
    lesson(
      'text-plain',
      'JSON labelled as plain text',
      'JSON berlabel teks biasa',
      post({ 'Content-Type': 'text/plain' }, fine),
    ),
    lesson(
      'charset',
      'Another charset',
      'charset lain',
      post({ 'Content-Type': 'application/json; charset=iso-8859-1' }, fine),
    ),
    lesson(
      'utf-16',
      'A file that Windows PowerShell wrote (UTF-16 with a byte order mark)',
      'Berkas yang ditulis Windows PowerShell (UTF-16 dengan BOM)',
      post(json, new Uint8Array(Buffer.from(`\uFEFF${fine}`, 'utf16le'))),
    ),
    lesson(
      'latin-1',
      'Letters in another encoding (é as one byte)',
      'Huruf dengan pengodean lain (é sebagai satu byte)',
      post(json, new Uint8Array(Buffer.from('{"judul": "Café", "isi": "Pukul 10"}', 'latin1'))),
    ),
    lesson('empty', 'An empty body', 'Isi permintaan kosong', post(json, '')),
    lesson(
      'single-quotes',
      'Single quotes',
      'Tanda kutip tunggal',
      post(json, "{'judul': 'Rapat', 'isi': 'Pukul 10'}"),
    ),
    lesson(
      'trailing-comma',
      'A comma behind the last field',
      'Koma setelah kolom terakhir',
      post(json, '{"judul": "Rapat", "isi": "Pukul 10",}'),
    ),
    lesson(
      'line-break',
      'A line break inside a text',
      'Baris baru di dalam teks',
      post(json, '{"judul": "Rapat", "isi": "Pukul 10\ndi aula"}'),
    ),
    lesson(
      'placeholder',
      'A placeholder that was not filled in',
      'Placeholder yang belum terisi',
      post(json, '{"judul": {{ $json.judul }}, "isi": "Pukul 10"}'),
    ),
    lesson('array', 'A list of notifications', 'Daftar notifikasi', post(json, `[${fine}]`)),
    lesson(
      'other-names',
      'Fields with other names',
      'Kolom dengan nama lain',
      post(json, '{"title": "Rapat", "message": "Pukul 10"}'),
    ),
    lesson(
      'too-long',
      'A title that is too long',
      'Judul terlalu panjang',
      post(json, JSON.stringify({ judul: 'Rapat '.repeat(22), isi: 'Pukul 10' })),
    ),
    lesson(
      'blank',
      'A title from an expression that found nothing',
      'Judul dari ekspresi yang tidak menemukan apa-apa',
      post(json, '{"judul": "", "isi": "Pukul 10"}'),
    ),
    lesson('number', 'A number as text', 'Angka sebagai teks', post(json, '{"judul": "Stok", "isi": 12}')),
    lesson(
      'user-id-null',
      'user_id from an empty n8n expression',
      'user_id dari ekspresi n8n yang kosong',
      field('user_id', 'null'),
    ),
    lesson('user-id-empty', 'An empty user_id', 'user_id kosong', post(form, 'judul=Rapat&isi=Pukul+10&user_id=')),
    lesson('user-id-name', 'A name as user_id', 'Nama sebagai user_id', field('user_id', '"Karyawan Satu"')),
    lesson('user-id-zero', 'A leading zero in user_id', 'Nol di depan user_id', field('user_id', '"07"')),
    lesson(
      'url-absolute',
      'An absolute address as url',
      'Alamat lengkap sebagai url',
      field('url', '"https://portal.example.com/portal/help"'),
    ),
    lesson('url-no-slash', 'A url without a slash', 'url tanpa garis miring', field('url', '"portal/help"')),
    lesson(
      'url-two-slashes',
      'A url that begins with two slashes',
      'url yang diawali dua garis miring',
      field('url', '"//portal/help"'),
    ),
    lesson(
      'broken-escape',
      'A percent sign in a form',
      'Tanda persen di formulir',
      post(form, 'judul=Diskon 10%&isi=Besok'),
    ),
    lesson(
      'idempotency-blank',
      'A blank in Idempotency-Key',
      'Spasi di Idempotency-Key',
      post({ ...json, 'Idempotency-Key': 'gaji november' }, fine),
    ),
  ];
}

/** The failure that a lesson's request meets before anybody is asked for a key's company or an employee. */
export async function explain({ request }: Lesson): Promise<Failure> {
  const asked = asNotifRequest(request);
  const found = findKey(asked);
  if ('code' in found) return found;
  if (request.method === 'GET') {
    const action = readAction(request.search);
    if ('code' in action) return action;
    if (!ReadInput.safeParse(action).success) return unknownAction(action.aksi);
    throw new Error(`nothing is wrong with ${request.search}`);
  }
  const idempotency = readIdempotencyKey(asked);
  if ('code' in idempotency) return idempotency;
  const body = await readFields(asked);
  if ('code' in body) return body;
  const checked = SendInput.safeParse(body.fields);
  if (checked.success) throw new Error('nothing is wrong with the body');
  return failureOf(checked.error, body.names);
}

function asNotifRequest({ method, search, headers, body }: Request): NotifRequest {
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    ...{ method, search, address: '' },
    header: (name) => named.get(name) ?? null,
    readBody: async () => (typeof body === 'string' ? new TextEncoder().encode(body) : body),
  };
}

/** Every lesson with the failure it meets, and its request as text, without the key and without a body that is no text. */
export async function teach(): Promise<{ lesson: Lesson; failure: Failure; sent: string }[]> {
  const lessons = listLessons(generateKey());
  return Promise.all(
    lessons.map(async (lesson) => ({ lesson, failure: await explain(lesson), sent: writtenOut(lesson) })),
  );
}

function writtenOut({ request: { method, search, headers, body } }: Lesson): string {
  const lines = [
    `${method} ${search}`.trim(),
    ...Object.entries(headers)
      .filter(([name]) => method === 'GET' || name !== 'X-API-Key')
      .map(([name, value]) => `${name}: ${value}`),
    ...(typeof body === 'string' && body !== '' ? ['', body] : []),
  ];
  return lines.join('\n').replace(/jss_\w+|(?<=Basic )\S+/g, (written) => (written.startsWith('jss_') ? 'jss_…' : '…'));
}
