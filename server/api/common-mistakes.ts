import { readFields } from '#server/api/body.ts';
import { type Failure, isFailure, type Language } from '#server/api/failures.ts';
import { ReadInput } from '#server/api/read.ts';
import { findKey, type NotifRequest, readAction, readIdempotencyKey } from '#server/api/request.ts';
import { SendInput } from '#server/api/send.ts';
import { generateKey } from '#server/keys/keys.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

/** A request with a mistake that many callers make. `about` names the mistake in both languages. */
export type CommonMistake = { name: string; about: Record<Language, string>; request: MistakenRequest };

type MistakenRequest = {
  method: 'GET' | 'POST';
  search: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
};

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const validBody = '{"judul": "Rapat", "isi": "Pukul 10"}';

/** All common mistakes. Besides its mistake each request is valid; it carries the key `key`. */
export function listCommonMistakes(key: string): CommonMistake[] {
  const withKey = { 'X-API-Key': key };
  const get = (search: string, headers: MistakenRequest['headers'] = withKey): MistakenRequest => ({
    method: 'GET',
    search,
    headers,
    body: '',
  });
  const post = (labels: MistakenRequest['headers'], body: MistakenRequest['body']): MistakenRequest => ({
    method: 'POST',
    search: '',
    headers: { ...withKey, ...labels },
    body,
  });
  const field = (name: string, written: string) =>
    post(json, `{"judul": "Rapat", "isi": "Pukul 10", "${name}": ${written}}`);
  const mistake = (name: string, en: string, id: string, request: MistakenRequest): CommonMistake => ({
    name,
    about: { en, id },
    request,
  });
  return [
    mistake(
      'no-bearer',
      'Authorization without the word Bearer',
      'Authorization tanpa kata Bearer',
      get('?aksi=ping', { Authorization: key }),
    ),
    mistake(
      'bearer-in-x-api-key',
      'Bearer in X-API-Key',
      'Kata Bearer di X-API-Key',
      get('?aksi=ping', { 'X-API-Key': `Bearer ${key}` }),
    ),
    mistake(
      'basic',
      'The key as user name of Basic',
      'Kunci sebagai nama pengguna Basic',
      get('?aksi=ping', { Authorization: `Basic ${btoa(`${key}:`)}` }),
    ),
    mistake(
      'quotes',
      'Quotes around the key',
      'Kunci di dalam tanda kutip',
      get('?aksi=ping', { 'X-API-Key': `"${key}"` }),
    ),
    mistake('query', 'The key in the address', 'Kunci di alamat (URL)', get(`?aksi=ping&key=${key}`, {})),
    mistake(
      'both',
      'The key in both headers',
      'Kunci di kedua header',
      get('?aksi=ping', { ...withKey, Authorization: `Bearer ${key}` }),
    ),
    mistake(
      'cut-off',
      'A key that lost its end',
      'Kunci yang terpotong',
      get('?aksi=ping', { 'X-API-Key': key.slice(0, 40) }),
    ),
    mistake('other-parameter', 'Another parameter instead of aksi', 'Parameter lain, bukan aksi', get('?action=ping')),
    mistake('capitals', 'aksi in capitals', 'aksi dengan huruf besar', get('?aksi=PING')),
    mistake(
      'json-as-form',
      'JSON labelled as a form (curl -d without -H)',
      'JSON berlabel formulir (curl -d tanpa -H)',
      post(form, validBody),
    ),
    mistake(
      'form-as-json',
      'A form labelled as JSON',
      'Formulir berlabel JSON',
      post(json, 'judul=Rapat&isi=Pukul+10'),
    ),
    mistake(
      'text-plain',
      'JSON labelled as plain text',
      'JSON berlabel teks biasa',
      post({ 'Content-Type': 'text/plain' }, validBody),
    ),
    mistake(
      'charset',
      'Another charset',
      'charset lain',
      post({ 'Content-Type': 'application/json; charset=iso-8859-1' }, validBody),
    ),
    mistake(
      'utf-16',
      'A file that Windows PowerShell wrote (UTF-16 with a byte order mark)',
      'Berkas yang ditulis Windows PowerShell (UTF-16 dengan BOM)',
      post(json, new Uint8Array(Buffer.from(`\uFEFF${validBody}`, 'utf16le'))),
    ),
    mistake(
      'latin-1',
      'Letters in another encoding (é as one byte)',
      'Huruf dengan pengodean lain (é sebagai satu byte)',
      post(json, new Uint8Array(Buffer.from('{"judul": "Café", "isi": "Pukul 10"}', 'latin1'))),
    ),
    mistake('empty', 'An empty body', 'Isi permintaan kosong', post(json, '')),
    mistake(
      'single-quotes',
      'Single quotes',
      'Tanda kutip tunggal',
      post(json, "{'judul': 'Rapat', 'isi': 'Pukul 10'}"),
    ),
    mistake(
      'trailing-comma',
      'A comma behind the last field',
      'Koma setelah kolom terakhir',
      post(json, '{"judul": "Rapat", "isi": "Pukul 10",}'),
    ),
    mistake(
      'line-break',
      'A line break inside a text',
      'Baris baru di dalam teks',
      post(json, '{"judul": "Rapat", "isi": "Pukul 10\ndi aula"}'),
    ),
    mistake(
      'placeholder',
      'A placeholder that was not filled in',
      'Placeholder yang belum terisi',
      post(json, '{"judul": {{ $json.judul }}, "isi": "Pukul 10"}'),
    ),
    mistake('array', 'A list of notifications', 'Daftar notifikasi', post(json, `[${validBody}]`)),
    mistake(
      'other-names',
      'Fields with other names',
      'Kolom dengan nama lain',
      post(json, '{"title": "Rapat", "message": "Pukul 10"}'),
    ),
    mistake(
      'webhook',
      'A webhook with a fixed body, here Alertmanager’s',
      'Webhook yang isinya tetap, di sini dari Alertmanager',
      post(json, '{"receiver": "tim", "status": "firing", "alerts": [], "groupKey": "{}:{}", "version": "4"}'),
    ),
    mistake(
      'webhook-without-key',
      'A webhook that cannot carry a key, here GitHub’s',
      'Webhook yang tidak dapat membawa kunci, di sini dari GitHub',
      {
        method: 'POST',
        search: '',
        headers: { ...json, 'X-GitHub-Event': 'push' },
        body: '{"ref": "refs/heads/main", "repository": {}, "sender": {}}',
      },
    ),
    mistake(
      'too-long',
      'A title that is too long',
      'Judul terlalu panjang',
      post(json, JSON.stringify({ judul: 'Rapat '.repeat(draftLimits.title / 6 + 2), isi: 'Pukul 10' })),
    ),
    mistake(
      'blank',
      'A title from an expression that found nothing',
      'Judul dari ekspresi yang tidak menemukan apa-apa',
      post(json, '{"judul": "", "isi": "Pukul 10"}'),
    ),
    mistake('number', 'A number as text', 'Angka sebagai teks', post(json, '{"judul": "Stok", "isi": 12}')),
    mistake(
      'user-id-null',
      'user_id from an empty n8n expression',
      'user_id dari ekspresi n8n yang kosong',
      field('user_id', 'null'),
    ),
    mistake('user-id-empty', 'An empty user_id', 'user_id kosong', post(form, 'judul=Rapat&isi=Pukul+10&user_id=')),
    mistake('user-id-name', 'A name as user_id', 'Nama sebagai user_id', field('user_id', '"Karyawan Satu"')),
    mistake('user-id-zero', 'A leading zero in user_id', 'Nol di depan user_id', field('user_id', '"07"')),
    mistake('user-id-misspelt', 'user_id in another spelling', 'user_id dengan ejaan lain', field('userId', '7')),
    mistake(
      'url-absolute',
      'An absolute address as url',
      'Alamat lengkap sebagai url',
      field('url', '"https://portal.example.com/portal/help"'),
    ),
    mistake('url-no-slash', 'A url without a slash', 'url tanpa garis miring', field('url', '"portal/help"')),
    mistake(
      'url-two-slashes',
      'A url that begins with two slashes',
      'url yang diawali dua garis miring',
      field('url', '"//portal/help"'),
    ),
    mistake(
      'broken-escape',
      'A percent sign in a form',
      'Tanda persen di formulir',
      post(form, 'judul=Diskon 10%&isi=Besok'),
    ),
    mistake(
      'idempotency-blank',
      'A blank in Idempotency-Key',
      'Spasi di Idempotency-Key',
      post({ ...json, 'Idempotency-Key': 'gaji november' }, validBody),
    ),
  ];
}

/** Finds the failure of a mistake, without the database. */
export async function failureOfMistake({ request }: CommonMistake): Promise<Failure> {
  const received = asNotifRequest(request);
  const found = findKey(received);
  if ('failure' in found) return found.failure;
  const checked = request.method === 'GET' ? checkRead(request.search) : await checkSend(received);
  if (!isFailure(checked)) throw new Error(`this request has no mistake: ${request.method} ${request.search}`);
  return checked;
}

function checkRead(search: string): unknown {
  const action = readAction(search);
  return isFailure(action) ? action : ReadInput.parse(action).aksi;
}

async function checkSend(request: NotifRequest): Promise<unknown> {
  const idempotency = readIdempotencyKey(request);
  if (isFailure(idempotency)) return idempotency;
  const fields = await readFields(request);
  return isFailure(fields) ? fields : SendInput.parse(fields);
}

function asNotifRequest({ method, search, headers, body }: MistakenRequest): NotifRequest {
  const values = new Headers(headers);
  return {
    method,
    search,
    address: '',
    header: (name) => values.get(name),
    hasShortBody: async () => false,
    readBody: async () => (typeof body === 'string' ? new TextEncoder().encode(body) : body),
  };
}

/**
 * All common mistakes with their failures. `sent` is the request as text, with the key and a binary
 * body left out.
 */
export async function describeCommonMistakes(): Promise<{ mistake: CommonMistake; failure: Failure; sent: string }[]> {
  return Promise.all(
    listCommonMistakes(generateKey()).map(async (mistake) => ({
      mistake,
      failure: await failureOfMistake(mistake),
      sent: writeRequest(mistake.request),
    })),
  );
}

function writeRequest({ method, search, headers, body }: MistakenRequest): string {
  const lines = [
    `${method} ${search}`.trim(),
    ...Object.entries(headers)
      .filter(([name]) => method === 'GET' || name !== 'X-API-Key')
      .map(([name, value]) => `${name}: ${value}`),
    ...(typeof body === 'string' && body !== '' ? ['', body] : []),
  ];
  return lines.join('\n').replace(/jss_\w+|(?<=Basic )\S+/g, (written) => (written.startsWith('jss_') ? 'jss_…' : '…'));
}
