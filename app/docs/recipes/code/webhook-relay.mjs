// Turns webhooks with a fixed body into notifications.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { NOTIF_URL, NOTIF_KEY, RELAY_SECRET, PORT = '8081' } = process.env;
if (!NOTIF_URL || !NOTIF_KEY || !RELAY_SECRET) {
  console.error('Set NOTIF_URL, NOTIF_KEY and RELAY_SECRET first.');
  process.exit(1);
}
const maxBytes = 5 * 1024 * 1024;

/** Title and text of each body, or null when there is nothing to send. */
const sources = {
  alertmanager: fromAlerts,
  grafana: fromAlerts,
  'uptime-kuma': ({ monitor, heartbeat, msg }) => {
    const status = ['mati', 'hidup', 'menunggu', 'pemeliharaan'];
    const state = status[heartbeat?.status] ?? 'pesan';
    return [`${monitor?.name ?? 'Uptime Kuma'}: ${state}`, msg];
  },
  github: (body, headers) => {
    const event = headers['x-github-event'];
    if (event === 'ping') return null;
    const { action, repository, organization, sender, comment } = body;
    const place = repository?.full_name ?? organization?.login;
    const { issue, pull_request, release, workflow_run, head_commit } = body;
    const about = issue ?? pull_request ?? release ?? workflow_run;
    const text = [
      about?.title || about?.name || about?.tag_name,
      about?.conclusion,
      comment?.body ?? head_commit?.message ?? body.ref,
      sender?.login,
    ];
    return [join(' ', `${place}:`, event, action), join(', ', ...text)];
  },
  woocommerce: (body, headers) => {
    const topic = headers['x-wc-webhook-topic'];
    const { id, number, name, status, total, currency, billing } = body;
    const buyer = join(' ', billing?.first_name, billing?.last_name);
    const amount = join(' ', currency, total);
    const text = join(', ', buyer, name, amount, status) || `ID ${id}`;
    return [number ? `Pesanan ${number}: ${topic}` : topic, text];
  },
  frappe: ({ judul, isi }) => [judul, isi],
  odoo: ({ _action, _id, _model, id, ...fields }) => {
    const text = join(', ', ...Object.values(fields)) || `${_model} ${_id}`;
    return [_action.replace(/\(#\d+\)$/, ''), text];
  },
};
// The headers whose signature is in Base64.
const signatures = {
  woocommerce: 'x-wc-webhook-signature',
  frappe: 'x-frappe-webhook-signature',
};

function fromAlerts({ status, alerts = [], commonLabels }) {
  const [first] = alerts;
  const name = commonLabels?.alertname ?? first?.labels?.alertname;
  const state = status === 'resolved' ? 'Pulih' : 'Peringatan';
  const count = alerts.length > 1 ? `(${alerts.length})` : '';
  const texts = alerts.map(
    ({ annotations: { summary, description } = {}, labels }) =>
      summary || description || join(', ', ...Object.values(labels ?? {})),
  );
  return [join(' ', `${state}:`, name, count), join('; ', ...new Set(texts))];
}

function join(separator, ...parts) {
  return parts.filter(Boolean).join(separator);
}

/** At most `limit` characters, as the service counts them. */
function cut(text, limit) {
  const plain = String(text ?? '').toWellFormed();
  const characters = [...plain.replaceAll('\0', ' ').trim()];
  if (characters.length <= limit) return characters.join('') || '-';
  return `${characters.slice(0, limit - 1).join('')}…`;
}

function isFrom(source, headers, body, secret) {
  const sign = (encoding) =>
    createHmac('sha256', RELAY_SECRET).update(body).digest(encoding);
  if (source === 'github')
    return isSame(headers['x-hub-signature-256'], `sha256=${sign('hex')}`);
  if (Object.hasOwn(signatures, source))
    return isSame(headers[signatures[source]], sign('base64'));
  // Odoo cannot send a header.
  if (source === 'odoo') return isSame(secret, RELAY_SECRET);
  return isSame(headers.authorization, `Bearer ${RELAY_SECRET}`);
}

function isSame(given = '', right) {
  const digest = (text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}

/** The same for each repeat of one webhook, so that the service sends once. */
function onceKey(source, { url, headers }, body) {
  if (source === 'github') return `github-${headers['x-github-delivery']}`;
  // Hours later, an alert that lasts comes again with the same body and must
  // be sent; so must the next test message of Uptime Kuma.
  const ms = source === 'uptime-kuma' ? 60_000 : 3_600_000;
  const period = source === 'woocommerce' ? '' : Math.floor(Date.now() / ms);
  // WooCommerce gives all webhooks of one second the same delivery id.
  const hash = createHash('sha256').update(`${url} ${period} `).update(body);
  return `${source}-${hash.digest('hex')}`;
}

function parse(body, type = '') {
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const text = String(body);
  return JSON.parse(isForm ? new URLSearchParams(text).get('payload') : text);
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

async function serve(request, response) {
  const { headers } = request;
  const { pathname, searchParams } = new URL(`http://relay${request.url}`);
  const source = pathname.slice(1);
  const answer = (status, text, more) =>
    response
      .writeHead(status, { 'Content-Type': 'text/plain', ...more })
      .end(text);
  if (!Object.hasOwn(sources, source)) return answer(404, 'No such source.');
  const body = await readBody(request);
  if (!body) return answer(413, 'Too large.');
  // WooCommerce tests a new webhook with this body, which it does not sign.
  if (source === 'woocommerce' && /^webhook_id=\d+$/.test(body))
    return answer(200, 'Ready.');
  if (!isFrom(source, headers, body, searchParams.get('secret') ?? ''))
    return answer(401, 'Wrong secret.');
  const found = sources[source](parse(body, headers['content-type']), headers);
  if (!found) return answer(200, 'Nothing to send.');
  const sent = await fetch(`${NOTIF_URL}/api/v1/notif.php`, {
    method: 'POST',
    headers: {
      'X-API-Key': NOTIF_KEY,
      'Content-Type': 'application/json',
      'Idempotency-Key': onceKey(source, request, body),
    },
    body: JSON.stringify({
      judul: cut(found[0], 120),
      isi: cut(found[1], 255),
      user_id: searchParams.get('user_id'),
      jenis: searchParams.get('jenis'),
      url: searchParams.get('url'),
    }),
    signal: AbortSignal.timeout(8000),
  }).catch((error) => new Response(error.message, { status: 503 }));
  const text = await sent.text();
  if (!sent.ok) console.error(`${source} ${sent.status}: ${text}`);
  // Alertmanager repeats after 5xx only, so a 429 becomes a 503.
  const wait = sent.headers.get('Retry-After') ?? '5';
  if (sent.status === 429 || sent.status >= 500)
    return answer(503, text, { 'Retry-After': wait });
  return answer(sent.status, text);
}

const server = createServer((request, response) =>
  serve(request, response).catch((error) => {
    console.error(error.message);
    response.writeHead(400).end('The body is not the expected one.');
  }),
);
server.listen(Number(PORT), () =>
  console.log(`Listening on port ${server.address().port}.`),
);
