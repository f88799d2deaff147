import { readFields } from '#server/api/body.ts';
import { type Failure, isFailure } from '#server/api/failures.ts';
import { ReadInput } from '#server/api/read.ts';
import { findKey, type NotifRequest, readAction, readIdempotencyKey } from '#server/api/request.ts';
import { SendInput } from '#server/api/send.ts';
import { generateKey } from '#server/keys/keys.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

type CommonMistake = { name: MistakeName; request: MistakenRequest };

type MistakeName = keyof ReturnType<typeof makeRequests>;

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
export const listCommonMistakes = (key: string): CommonMistake[] =>
  Object.entries(makeRequests(key)).map(([name, request]) => ({ name: name as MistakeName, request }));

function makeRequests(key: string) {
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
  return {
    'no-bearer': get('?aksi=ping', { Authorization: key }),
    'bearer-in-x-api-key': get('?aksi=ping', { 'X-API-Key': `Bearer ${key}` }),
    basic: get('?aksi=ping', { Authorization: `Basic ${btoa(`${key}:`)}` }),
    quotes: get('?aksi=ping', { 'X-API-Key': `"${key}"` }),
    query: get(`?aksi=ping&key=${key}`, {}),
    both: get('?aksi=ping', { ...withKey, Authorization: `Bearer ${key}` }),
    'cut-off': get('?aksi=ping', { 'X-API-Key': key.slice(0, 40) }),
    'other-parameter': get('?action=ping'),
    capitals: get('?aksi=PING'),
    'json-as-form': post(form, validBody),
    'form-as-json': post(json, 'judul=Rapat&isi=Pukul+10'),
    'text-plain': post({ 'Content-Type': 'text/plain' }, validBody),
    charset: post({ 'Content-Type': 'application/json; charset=iso-8859-1' }, validBody),
    'utf-16': post(json, new Uint8Array(Buffer.from(`\uFEFF${validBody}`, 'utf16le'))),
    'latin-1': post(json, new Uint8Array(Buffer.from('{"judul": "Café", "isi": "Pukul 10"}', 'latin1'))),
    empty: post(json, ''),
    'single-quotes': post(json, "{'judul': 'Rapat', 'isi': 'Pukul 10'}"),
    'trailing-comma': post(json, '{"judul": "Rapat", "isi": "Pukul 10",}'),
    'line-break': post(json, '{"judul": "Rapat", "isi": "Pukul 10\ndi aula"}'),
    placeholder: post(json, '{"judul": {{ $json.judul }}, "isi": "Pukul 10"}'),
    array: post(json, `[${validBody}]`),
    'other-names': post(json, '{"title": "Rapat", "message": "Pukul 10"}'),
    webhook: post(json, '{"receiver": "tim", "status": "firing", "alerts": [], "groupKey": "{}:{}", "version": "4"}'),
    'webhook-without-key': {
      method: 'POST',
      search: '',
      headers: { ...json, 'X-GitHub-Event': 'push' },
      body: '{"ref": "refs/heads/main", "repository": {}, "sender": {}}',
    },
    'too-long': post(json, JSON.stringify({ judul: 'Rapat '.repeat(draftLimits.title / 6 + 2), isi: 'Pukul 10' })),
    blank: post(json, '{"judul": "", "isi": "Pukul 10"}'),
    number: post(json, '{"judul": "Stok", "isi": 12}'),
    'user-id-null': field('user_id', 'null'),
    'user-id-empty': post(form, 'judul=Rapat&isi=Pukul+10&user_id='),
    'user-id-name': field('user_id', '"Karyawan Satu"'),
    'user-id-zero': field('user_id', '"07"'),
    'user-id-misspelt': field('userId', '7'),
    'url-absolute': field('url', '"https://portal.example.com/portal/help"'),
    'url-no-slash': field('url', '"portal/help"'),
    'url-two-slashes': field('url', '"//portal/help"'),
    'broken-escape': post(form, 'judul=Diskon 10%&isi=Besok'),
    'idempotency-blank': post({ ...json, 'Idempotency-Key': 'gaji november' }, validBody),
  } satisfies Record<string, MistakenRequest>;
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

/** All common mistakes. `sent` is the request as text, without the key and a binary body. */
export const describeCommonMistakes = (): Promise<{ name: MistakeName; failure: Failure; sent: string }[]> =>
  Promise.all(
    listCommonMistakes(generateKey()).map(async (mistake) => ({
      name: mistake.name,
      failure: await failureOfMistake(mistake),
      sent: writeRequest(mistake.request),
    })),
  );

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
