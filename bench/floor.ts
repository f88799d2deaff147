import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import postgres from 'postgres';

// The floor that the service is compared with: a bare server that runs one statement for the key
// and one for the send, and returns the same headers and bodies. It checks, logs and refuses nothing.

/**
 * The SQL of a send, recorded from the service. Parameters such as `$company` are replaced per
 * request.
 */
export type Statement = { text: string; parameters: unknown[] };

// The SQL of the service for one request; the service itself counts many requests in one statement.
const keyText = `
  with key as (
    select k.company_id as "companyId", c.name as "companyName", k.id, k.name
    from api_keys k join companies c on c.id = k.company_id
    where k.fingerprint = $1 and k.revoked_at is null
  ), counted as (
    insert into key_usage as usage (company_id, key_id, window_started_at, used)
    select "companyId", id, now(), 1 from key
    on conflict (company_id, key_id) do update set
      used = case
        when usage.window_started_at > now() - interval '60 s' and usage.window_started_at < now() + interval '60 s'
        then least(usage.used, 60) + 1 else 1 end,
      window_started_at = case
        when usage.window_started_at > now() - interval '60 s' and usage.window_started_at < now() + interval '60 s'
        then usage.window_started_at else now() end
    returning used, ceil(extract(epoch from window_started_at - now()) + 60)::int as "endsIn"
  )
  select key.*, counted.used, counted."endsIn" from key, counted`;

const { DATABASE_URL = '', PORT = '0', STATEMENT = '{}' } = process.env;
const { text: sendText, parameters: sendParameters } = JSON.parse(STATEMENT) as Statement;
const sql = postgres(DATABASE_URL, { max: Number(process.env.POOL ?? 10), onnotice: () => {} });

type Key = { companyId: number; companyName: string; id: number; name: string; used: number; endsIn: number };
type Fields = { judul: string; isi: string; user_id: number; jenis: string; url: string };

const sha256 = (text: string) => createHash('sha256').update(text).digest();

function fill(key: Key, fields: Fields, idempotencyKey: string, bodyHash: Buffer, requestId: string): never[] {
  const values: Record<string, unknown> = {
    $company: key.companyId,
    $key: key.id,
    $once: idempotencyKey,
    $hash: bodyHash.toString('hex'),
    $recipient: fields.user_id,
    $title: fields.judul,
    $body: fields.isi,
    $kind: fields.jenis,
    $url: fields.url,
    $request: requestId,
  };
  const fillPlace = (place: unknown): unknown => {
    if (Array.isArray(place)) return place.map(fillPlace);
    return typeof place === 'string' && place in values ? values[place] : place;
  };
  return sendParameters.map(fillPlace) as never[];
}

let calls = 0;
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = `01900000-0000-7000-8000-${(++calls).toString(16).padStart(12, '0')}`;
  const [key] = await sql.unsafe<Key[]>(keyText, [sha256(String(request.headers['x-api-key']))], { prepare: true });
  if (!key) return void response.writeHead(401).end();
  let body = JSON.stringify({ ok: true, key: key.name, perusahaan: key.companyName });
  if (request.method === 'POST') {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const once = String(request.headers['idempotency-key']);
    const parameters = fill(key, JSON.parse(text) as Fields, once, sha256(text), requestId);
    const [sent] = await sql.unsafe(sendText, parameters, { prepare: true });
    body = JSON.stringify({ ok: true, terkirim: sent?.reach });
  }
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': String(60 - key.used),
    'RateLimit-Policy': '"minute";q=60;w=60',
    RateLimit: `"minute";r=${60 - key.used};t=${key.endsIn}`,
    Link: '</api/v1/openapi.json>; rel="service-desc", </docs>; rel="service-doc"',
    'X-Request-Id': requestId,
    'Content-Length': String(Buffer.byteLength(body)),
  });
  response.end(body);
}

// wrk closes its connections in the middle of requests.
const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
server.listen(Number(PORT), '127.0.0.1', () => process.stdout.write('the floor is running\n'));
process.once('SIGTERM', () => process.exit(0));
