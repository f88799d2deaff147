import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { N8nNode, Workflow } from '#e2e/docs/n8n.ts';
import { makePlace, readTraces, refusalOf } from '#e2e/fixtures/traces.ts';
import { alertmanager, github, proofOf, type Webhook, webhooks } from '#e2e/fixtures/webhooks.ts';
import { installed } from '#e2e/workflows/installed.ts';
import { type Program, startProgram } from '#e2e/workflows/program.ts';
import { type Failure, startFailingProxy } from '#harness/proxy.ts';
import { freePort } from '#harness/service.ts';

// 2.41.3 asks for a package that the registry lacks. With npm's scripts the install also compiles a
// client of Kafka, which needs libcurl's headers. n8n's own database would need a compiled SQLite.
const version = '2.41.1';
const timeoutMs = 600_000;

const n8n = { program: '', folder: '', database: '', variables: {} as Record<string, string> };
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function onServer(command: string): Promise<void> {
  const sql = postgres(process.env.ADMIN_DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
  await sql.unsafe(command);
  await sql.end();
}

beforeAll(async () => {
  n8n.program = join(await installed('n8n', version), 'node_modules', 'n8n', 'bin', 'n8n');
  n8n.folder = await mkdtemp(join(tmpdir(), 'notif-n8n-'));
  n8n.database = `n8n_${Date.now()}`;
  await onServer(`create database ${n8n.database}`);
  const { hostname, port, username, password } = new URL(process.env.ADMIN_DATABASE_URL ?? '');
  n8n.variables = {
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: hostname,
    DB_POSTGRESDB_PORT: port,
    DB_POSTGRESDB_USER: username,
    DB_POSTGRESDB_PASSWORD: decodeURIComponent(password),
    DB_POSTGRESDB_DATABASE: n8n.database,
    N8N_USER_FOLDER: n8n.folder,
    N8N_ENCRYPTION_KEY: 'a key of the tests',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PORT: String(await freePort()),
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  };
}, timeoutMs);

afterAll(async () => {
  await onServer(`drop database if exists ${n8n.database} with (force)`);
  await rm(n8n.folder, { recursive: true, force: true });
});

const start = (...args: string[]): Program => {
  const program = startProgram([n8n.program, ...args], n8n.folder, n8n.variables);
  ends.push(program.stop);
  return program;
};

async function run(...args: string[]): Promise<string> {
  const program = start(...args);
  const code = await program.ended;
  if (code !== 0) throw new Error(`n8n ${args.join(' ')} ended with ${code}:\n${program.output().slice(-4000)}`);
  return program.output();
}

async function importAs(kind: 'credentials' | 'workflow', value: unknown): Promise<void> {
  const file = join(n8n.folder, `${randomUUID()}.json`);
  await writeFile(file, JSON.stringify(value));
  await run(`import:${kind}`, `--input=${file}`);
}

const newId = () => randomUUID().replaceAll('-', '').slice(0, 16);

async function makeCredential(name: string, value: string) {
  const id = newId();
  await importAs('credentials', [{ id, name: id, type: 'httpHeaderAuth', data: { name, value } }]);
  return { httpHeaderAuth: { id, name: id } };
}

type Imported = Workflow & { id: string; nodes: (N8nNode & Record<string, unknown>)[] };

/** The offered workflow with an id, and what finds its nodes; its sends go through the proxy. */
async function download(file: string, failures: Failure[]) {
  const proxy = await startFailingProxy(process.env.SERVICE_URL ?? '', failures);
  ends.push(proxy.stop);
  const text = await (await fetch(`${process.env.SERVICE_URL}/docs/recipes/code/${file}`)).text();
  const workflow = { ...JSON.parse(text), id: newId() } as Imported;
  const node = (name: string) => workflow.nodes.find((one) => one.name === name) as N8nNode & Record<string, unknown>;
  node('Send').parameters.url = node('Send').parameters.url.replace(process.env.SERVICE_URL ?? '', proxy.url);
  return { workflow, node, proxy };
}

type Output = { json: Record<string, unknown> }[];

/** The items that left each output of a node, over all its runs. */
async function execute(id: string): Promise<(node: string, output?: number) => Record<string, unknown>[]> {
  const text = await run('execute', `--id=${id}`, '--rawOutput');
  const json = text.slice(text.search(/^\{$/m), text.search(/^\}$/m) + 1);
  const { runData } = JSON.parse(json).data.resultData as {
    runData: Record<string, { data?: { main: (Output | null)[] } }[]>;
  };
  return (node, output = 0) =>
    (runData[node] ?? []).flatMap(({ data }) => (data?.main[output] ?? []).map(({ json }) => json));
}

test(
  `n8n ${version}: the offered workflow sends each row once over 429, 503 and a lost answer`,
  async () => {
    const { company, employee, key } = await makePlace('n8n');
    await company.hire('Orang lain');
    const { workflow, node, proxy } = await download('n8n-workflow.json', [429, 503, 'answer lost']);
    node('Send').credentials = await makeCredential('X-API-Key', key);
    node('Wait a minute').parameters.amount = 1;
    const user_id = employee.employeeId;
    const rows = [
      { nama: 'Baik', jam: '08.00', user_id },
      { nama: 'Tanpa', jam: '09.00' },
      { nama: 'Kosong', jam: '09.00', user_id: '' },
      { nama: 'Asing', jam: '09.00', user_id: 1 },
      { nama: 'x'.repeat(300), jam: '09.00', user_id },
      { nama: 'Juga', jam: '08.00', user_id: String(user_id) },
    ];
    Object.assign(node('Your data'), {
      parameters: { mode: 'raw', jsonOutput: JSON.stringify({ rows }), options: {} },
    });
    const split = { ...node('Start'), id: newId(), name: 'Split', type: 'n8n-nodes-base.splitOut', typeVersion: 1 };
    workflow.nodes.push(Object.assign(split, { parameters: { fieldToSplitOut: 'rows', options: {} } }));
    const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
    Object.assign(workflow.connections, { 'Your data': to('Split'), Split: to('Message') });
    await importAs('workflow', workflow);
    const items = await execute(workflow.id);
    expect(items('Send')).toEqual([
      { ok: true, terkirim: 1 },
      { ok: true, terkirim: 1 },
    ]);
    const fields = (nama: string, user: unknown) => ({
      judul: 'Jadwal besok',
      isi: `${nama}, Anda masuk pukul 09.00.`,
      user_id: user,
    });
    const plain = async (nama: string, user: unknown) =>
      (await refusalOf(key, fields(nama, user))).replaceAll('\\', '');
    expect(Object.fromEntries(items('Refused').map(({ nama, reason }) => [nama, reason]))).toEqual({
      Tanpa: await plain('Tanpa', null),
      Kosong: await plain('Kosong', ''),
      Asing: await plain('Asing', 1),
      ['x'.repeat(300)]: await plain('x'.repeat(300), user_id),
    });
    expect(new Set(proxy.onceKeys).size).toBe(6);
    expect(proxy.onceKeys).toHaveLength(9);
    expect(proxy.onceKeys[0]).toContain(workflow.id);
    const { inbox, audit } = await readTraces(company, employee);
    expect(inbox.map(({ body }) => body).sort()).toEqual([
      'Baik, Anda masuk pukul 08.00.',
      'Juga, Anda masuk pukul 08.00.',
    ]);
    expect(audit).toHaveLength(2);
  },
  timeoutMs,
);

test(
  `n8n ${version}: with a wrong key every row comes out of Refused, and nothing is repeated`,
  async () => {
    const { company, employee, key } = await makePlace('n8n');
    const { workflow, node, proxy } = await download('n8n-workflow.json', []);
    node('Send').credentials = await makeCredential('X-API-Key', `${key.slice(0, -1)}-`);
    await importAs('workflow', workflow);
    const items = await execute(workflow.id);
    const [refused, ...more] = items('Refused');
    expect([more, items('Send'), items('Wait a minute')]).toEqual([[], [], []]);
    expect(refused?.reason).toContain('jss_');
    expect(proxy.onceKeys).toHaveLength(1);
    expect((await readTraces(company, employee)).audit).toEqual([]);
  },
  timeoutMs,
);

test(
  `n8n ${version}: the workflow for webhooks sends those of all five systems once, and refuses others`,
  async () => {
    const { company, employee, key } = await makePlace('n8n');
    await company.hire('Orang lain');
    const credentials = await makeCredential('X-API-Key', key);
    const incoming = await makeCredential('Authorization', 'Bearer rahasia');
    const paths: Record<string, string> = {};
    for (const access of ['secret header', 'secret path']) {
      const { workflow, node } = await download('n8n-webhooks.json', [429]);
      node('Send').credentials = credentials;
      const webhook = node('Webhook');
      const path = `staff-${newId()}`;
      Object.assign(webhook, { webhookId: randomUUID() });
      Object.assign(webhook.parameters, { path });
      if (access === 'secret header') webhook.credentials = incoming;
      else webhook.parameters.authentication = 'none';
      paths[access] = path;
      await importAs('workflow', workflow);
      await run('publish:workflow', `--id=${workflow.id}`);
    }
    const running = start('start');
    await running.says(/Editor is now accessible/);
    const pathOf = (source: string) =>
      paths[source === 'github' || source === 'woocommerce' ? 'secret path' : 'secret header'];
    const post = async (webhook: Pick<Webhook, 'source' | 'headers' | 'body'>, secret = 'rahasia', form = false) => {
      const text = JSON.stringify(webhook.body);
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
      const search = `?user_id=${employee.employeeId}`;
      const answer = await fetch(
        `http://127.0.0.1:${n8n.variables.N8N_PORT}/webhook/${pathOf(webhook.source)}${search}`,
        {
          method: 'POST',
          headers: { 'Content-Type': type, ...webhook.headers, ...proofOf(webhook.source, text, secret) },
          body: form ? new URLSearchParams(webhook.body as Record<string, string>).toString() : text,
        },
      );
      return answer.status;
    };
    // n8n does not say when it knows the paths. Neither request sends anything.
    const ping = { ...github, headers: { 'X-GitHub-Event': 'ping' } };
    const known = async () => (await post(ping)) === 200 && (await post(alertmanager, 'lain')) === 403;
    await vi.waitUntil(known, { timeout: 120_000, interval: 500 });
    expect([await post(alertmanager), await post(github)]).toEqual([503, 503]);
    for (const webhook of webhooks) expect([await post(webhook), await post(webhook)]).toEqual([200, 200]);
    const wooPing = { source: 'woocommerce' as const, headers: {}, body: { webhook_id: '3' } };
    expect(await post(wooPing, '', true)).toBe(200);
    const payload = { payload: JSON.stringify(github.body) };
    const form = { ...github, headers: { ...github.headers, 'X-GitHub-Delivery': 'form' }, body: payload };
    expect(await post(form, '', true)).toBe(200);
    const { inbox } = await readTraces(company, employee);
    expect(inbox.map(({ body }) => body)).toEqual([...webhooks, github].map(({ isi }) => isi));
  },
  timeoutMs,
);
