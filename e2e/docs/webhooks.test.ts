import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startBot } from '#e2e/docs/bot.ts';
import { makePlace, readTraces } from '#e2e/support/data/traces.ts';
import { printed } from '#e2e/support/http/printed.ts';
import type { Webhook } from '#e2e/support/http/webhooks.ts';
import { alertmanager, github, odoo, proofOf, uptimeKuma, webhooks, wooCommerce } from '#e2e/support/http/webhooks.ts';
import { lacks, programPath } from '#e2e/support/programs.ts';
import { type Failure, startFailingProxy } from '#e2e/support/proxies/proxy.ts';
import { startProgram } from '#e2e/support/running.ts';
import { freePort } from '#e2e/support/service/service.ts';

const secret = 'rahasia-perantara-0123456789';

/** A company whose relay runs as the recipe prints it, with one employee beside the recipient. */
async function startRelay({ failures, keySuffix = '' }: { failures?: Failure[]; keySuffix?: string } = {}) {
  const place = await makePlace('webhook');
  await place.company.hire('Orang lain');
  const proxy = failures && (await startFailingProxy(process.env.SERVICE_URL ?? '', failures));
  if (proxy) onTestFinished(proxy.stop);
  const settings = { 'jss_…': place.key + keySuffix, 'RELAY_SECRET=…': `RELAY_SECRET=${secret}` };
  const relay = await startBot('webhooks', { settings, variables: { PORT: '0' }, base: proxy?.url });
  const [, port = ''] = await relay.says(/Listening on port (\d+)/);
  const post = async (source: string, headers: Record<string, string>, body: string, query?: string) => {
    const search = query ?? `?user_id=${place.employee.employeeId}`;
    const answer = await fetch(`http://127.0.0.1:${port}/${source}${search}`, { method: 'POST', headers, body });
    return { status: answer.status, wait: answer.headers.get('Retry-After'), text: await answer.text() };
  };
  const deliver = ({ source, headers, body }: Pick<Webhook, 'source' | 'headers' | 'body'>, query?: string) => {
    const text = JSON.stringify(body);
    return post(source, { ...json, ...headers, ...proofOf(source, text, secret) }, text, query);
  };
  return { ...place, relay, port, post, deliver, proxy };
}

const sent = { status: 200, wait: null, text: '{"ok":true,"terkirim":1}' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json' };

test('webhooks: each webhook of each system becomes one notification; repeats and pings become none', async () => {
  const { company, employee, deliver, post } = await startRelay();
  // In the same second as the first.
  const second = { ...wooCommerce, body: { ...wooCommerce.body, id: 1002, number: '1002' } };
  for (const webhook of [...webhooks, second])
    expect([await deliver(webhook), await deliver(webhook)]).toEqual([sent, sent]);
  const zen = { ...github, headers: { ...github.headers, 'X-GitHub-Event': 'ping' }, body: { zen: '…', hook_id: 1 } };
  expect((await deliver(zen)).status).toBe(200);
  expect((await post('woocommerce', form, 'webhook_id=3')).status).toBe(200);
  const { inbox, audit } = await readTraces(company, employee);
  expect(inbox.slice(0, webhooks.length)).toEqual(webhooks.map(({ judul, isi }) => ({ title: judul, body: isi })));
  expect(audit.slice(0, webhooks.length)).toEqual(webhooks.map(({ judul }) => ({ key: 'webhook', title: judul })));
  expect([inbox.length, audit.length]).toEqual(Array(2).fill(webhooks.length + 1));
});

test('webhooks: what is long is cut by characters, what is empty gets a dash, and both arrive', async () => {
  const { company, employee, deliver } = await startRelay();
  const name = '😀'.repeat(130);
  const { monitor, heartbeat } = uptimeKuma.body as Record<string, object>;
  const long = { ...uptimeKuma, body: { monitor: { ...monitor, name }, heartbeat, msg: `${'é'.repeat(300)}\0` } };
  const empty = { ...uptimeKuma, body: { heartbeat: null, monitor: null, msg: '' } };
  const half = { ...uptimeKuma, body: { heartbeat: null, monitor: null, msg: 'setengah \ud83d' } };
  for (const webhook of [long, empty, half]) expect((await deliver(webhook)).status).toBe(200);
  expect((await readTraces(company, employee)).inbox).toEqual([
    { title: `${'😀'.repeat(119)}…`, body: `${'é'.repeat(254)}…` },
    { title: 'Uptime Kuma: pesan', body: '-' },
    { title: 'Uptime Kuma: pesan', body: 'setengah \ufffd' },
  ]);
});

test('webhooks: the further kinds of GitHub and WooCommerce, also as a form, have a readable text', async () => {
  const { company, employee, deliver, post } = await startRelay();
  const { repository, sender } = github.body;
  const event = (name: string, delivery: string, body: object) => ({
    source: 'github' as const,
    headers: { 'X-GitHub-Event': name, 'X-GitHub-Delivery': delivery },
    body: { repository, sender, ...body },
  });
  const topic = (name: string, body: Record<string, unknown>) => ({
    source: 'woocommerce' as const,
    headers: { 'X-WC-Webhook-Topic': name },
    body,
  });
  await deliver(event('push', '1', { ref: 'refs/heads/main', head_commit: { message: 'Perbaiki struk' } }));
  await deliver(
    event('workflow_run', '2', { action: 'completed', workflow_run: { name: 'Uji', conclusion: 'failure' } }),
  );
  await deliver(topic('product.updated', { id: 31, name: 'Kopi 250 g', status: 'publish' }));
  await deliver(topic('order.deleted', { id: 1001 }));
  const payload = new URLSearchParams({ payload: JSON.stringify(github.body) }).toString();
  await post('github', { ...form, ...github.headers, ...proofOf('github', payload, secret) }, payload);
  expect((await readTraces(company, employee)).inbox).toEqual([
    { title: 'contoh/kasir: push', body: 'Perbaiki struk, pengembang' },
    { title: 'contoh/kasir: workflow_run completed', body: 'Uji, failure, pengembang' },
    { title: 'product.updated', body: 'Kopi 250 g, publish' },
    { title: 'order.deleted', body: 'ID 1001' },
    { title: github.judul, body: github.isi },
  ]);
});

test('webhooks: without the right secret or signature nothing is sent, and the answer is 401', async () => {
  const { company, employee, post, deliver } = await startRelay();
  for (const { source, headers, body } of webhooks) {
    const text = JSON.stringify(body);
    const right = Object.entries(proofOf(source, text, secret));
    const wrong = right.flatMap(([name, value]) => [{ [name]: value.slice(0, -1) }, { [name]: '' }]);
    for (const proof of [{}, proofOf(source, text, 'lain'), ...wrong])
      expect((await post(source, { ...json, ...headers, ...proof }, text)).status).toBe(401);
  }
  for (const source of ['github', 'woocommerce'] as const)
    expect((await post(source, { ...json, ...proofOf(source, '{}', secret) }, '{"id":1}')).status).toBe(401);
  expect((await post('lain', json, '{}')).status).toBe(404);
  expect((await post('github', { ...json, ...proofOf('github', 'bukan', secret) }, 'bukan')).status).toBe(400);
  expect((await deliver(alertmanager)).status).toBe(200);
  expect((await readTraces(company, employee)).audit).toHaveLength(1);
});

test('webhooks: 429, 503 and a lost answer become 503, and the repeat is sent once', async () => {
  const { company, employee, deliver, proxy } = await startRelay({ failures: [429, 503, 'answer lost'] });
  for (const wait of ['1', '1', '5']) expect(await deliver(alertmanager)).toMatchObject({ status: 503, wait });
  expect(await deliver(alertmanager)).toEqual(sent);
  expect(proxy?.onceKeys).toHaveLength(4);
  expect((await readTraces(company, employee)).inbox).toHaveLength(1);
});

test('webhooks: a refusal of the service passes with its sentence; without user_id nothing is sent', async () => {
  const { company, employee, deliver } = await startRelay();
  for (const [query, status, code] of [
    ['', 400, 'user_id_empty'],
    ['?user_id=', 400, 'user_id_empty'],
    ['?user_id=1', 404, 'employee_not_in_company'],
    ['?user_id=0&url=//luar.example', 400, 'url_not_internal'],
  ] as const) {
    const answer = await deliver(alertmanager, query);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ code, error: expect.any(String) });
  }
  expect((await deliver(alertmanager, '?user_id=0&jenis=timer&url=/portal')).text).toBe('{"ok":true,"terkirim":2}');
  expect((await readTraces(company, employee)).audit).toHaveLength(1);
  const revoked = await startRelay({ keySuffix: 'x' });
  const { status, text } = await revoked.deliver(alertmanager);
  expect([status, JSON.parse(text).code]).toEqual([401, 'key_malformed']);
});

/** A real Alertmanager with the printed settings, but for addresses and the wait of 30 s. */
async function startAlertmanager(relayPort: string, employeeId: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-alertmanager-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const blocks = await printed('recipes/webhooks', 'id');
  const settings = blocks.find(({ file }) => file === 'alertmanager.yml')?.text ?? '';
  const ours = settings
    .replace('8081', relayPort)
    .replace('user_id=7', `user_id=${employeeId}`)
    .replace('receiver: portal', 'receiver: portal\n  group_wait: 0s');
  await writeFile(join(folder, 'alertmanager.yml'), ours);
  await writeFile(join(folder, 'relay-secret'), `${secret}\n`);
  const address = `127.0.0.1:${await freePort()}`;
  const args = ['--config.file=alertmanager.yml', '--storage.path=data', '--cluster.listen-address='];
  const options = { cwd: folder, env: { PATH: programPath }, extendEnv: false };
  const running = startProgram('prometheus-alertmanager', [...args, `--web.listen-address=${address}`], options);
  onTestFinished(() => running.stop());
  await vi.waitUntil(() => fetch(`http://${address}/-/ready`).catch(() => false), { timeout: 60_000, interval: 100 });
  return address;
}

test.skipIf(lacks('alertmanager'))('webhooks: Alertmanager as printed repeats after 429, and one arrives', async () => {
  const { company, employee, port, proxy } = await startRelay({ failures: [429] });
  const address = await startAlertmanager(port, employee.employeeId);
  const labels = { alertname: 'DiskAlmostFull', instance: 'server-1' };
  const body = JSON.stringify([{ labels, annotations: { summary: 'Tinggal 5%' } }]);
  const raised = await fetch(`http://${address}/api/v2/alerts`, { method: 'POST', headers: json, body });
  expect(raised.status).toBe(200);
  await vi.waitUntil(() => (proxy?.replayed.length ?? 0) > 0, { timeout: 60_000, interval: 100 });
  expect(new Set(proxy?.onceKeys).size).toBe(1);
  expect(await readTraces(company, employee)).toEqual({
    inbox: [{ title: 'Peringatan: DiskAlmostFull', body: 'Tinggal 5%' }],
    audit: [{ key: 'webhook', title: 'Peringatan: DiskAlmostFull' }],
  });
});

// Builds the body as Frappe does: renders the template, parses the result and writes it with Python's JSON.
const frappeBody = `import jinja2, json, sys
texts, doc = json.load(sys.stdin)
body, url = [jinja2.Environment().from_string(text).render(doc=doc) for text in texts]
print(json.dumps([json.dumps(json.loads(body)), url]))`;

test.skipIf(lacks('python3 jinja2'))('ERP: bodies of Frappe and Odoo arrive once, with secret and number', async () => {
  const { company, employee, post } = await startRelay();
  const blocks = await printed('recipes/erp', 'id');
  const texts = ['frappe.jinja', 'frappe-url'].map((name) => blocks.find(({ file }) => file === name)?.text);
  const render = (notif_user_id: number | null) => {
    const doc = { status: 'Disetujui', employee_name: 'Karyawan "Satu"\n😀', from_date: '2026-11-24', notif_user_id };
    const env = { PATH: programPath } as unknown as NodeJS.ProcessEnv;
    const { stdout } = spawnSync('python3', ['-c', frappeBody], { env, input: JSON.stringify([texts, doc]) });
    const [body, url] = JSON.parse(String(stdout)) as [string, string];
    return { body, search: new URL(url).search };
  };
  const frappe = ({ body, search }: ReturnType<typeof render>, key = secret) => {
    const signature = createHmac('sha256', key).update(body).digest('base64');
    return post('frappe', { ...json, 'X-Frappe-Webhook-Signature': signature }, body, search);
  };
  const approved = render(employee.employeeId);
  expect([await frappe(approved), await frappe(approved)]).toEqual([sent, sent]);
  expect((await frappe(approved, 'lain')).status).toBe(401);
  expect((await frappe(render(null))).text).toContain('"code":"user_id_empty"');
  const order = JSON.stringify(odoo.body);
  const fromOdoo = (more: string) => post('odoo', json, order, `?user_id=${employee.employeeId}${more}`);
  expect([await fromOdoo(`&secret=${secret}`), await fromOdoo(`&secret=${secret}`)]).toEqual([sent, sent]);
  for (const wrong of ['', '&secret=', `&secret=${secret}x`]) expect((await fromOdoo(wrong)).status).toBe(401);
  expect((await readTraces(company, employee)).inbox).toEqual([
    { title: 'Cuti Disetujui', body: 'Karyawan "Satu"\n😀, 2026-11-24' },
    { title: odoo.judul, body: odoo.isi },
  ]);
});
