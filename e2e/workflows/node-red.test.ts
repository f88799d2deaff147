import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { makePlace, readTraces, refusalOf } from '#e2e/support/data/traces.ts';
import { printed } from '#e2e/support/http/printed.ts';
import { type Failure, startFailingProxy } from '#e2e/support/proxies/proxy.ts';
import { startProgram } from '#e2e/support/running.ts';
import { freePort, root } from '#e2e/support/service/service.ts';
import { requestsPerMinute } from '#server/keys/key-limits.ts';

/** The folders of programs first, so that npm's scripts and n8n's helpers run with this Node. */
const nodeFirst = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** Installs a package of npm without its scripts, unless an earlier run has done so; returns the folder. */
async function installed(name: string, version: string): Promise<string> {
  const cache = join(root, 'node_modules', '.cache', 'workflows');
  const folder = join(cache, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, `${name}-`));
  await writeFile(join(unfinished, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`];
  await execa('npm', args, { cwd: unfinished, env: { PATH: nodeFirst } });
  // Another test may have been faster.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  return folder;
}

type FlowNode = Record<string, unknown> & { id: string; type: string; name?: string; wires: string[][] };

async function downloadFlow() {
  const response = await fetch(`${process.env.SERVICE_URL}/docs/recipes/code/node-red-flow.json`);
  const text = await response.text();
  return { text, flow: JSON.parse(text) as FlowNode[] };
}

function nodeOf(flow: FlowNode[], name: string): FlowNode {
  const found = flow.find((node) => node.name === name);
  if (!found) throw new Error(`The flow has no node ${name}.`);
  return found;
}

// Prints each message at an end of the flow, where a person reads the sidebar.
const probe = (flow: FlowNode[], id: string, word: string, value: string) => {
  const func = `node.log('${word} ' + JSON.stringify(${value}))`;
  flow.push({ id, type: 'function', z: flow[0]?.id, name: word, outputs: 0, func, wires: [] });
};

/** Starts a Node-RED, deploys the offered flow with these rows and this key, and presses Start. */
async function runFlow(key: string, rows: object[], failures: Failure[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'notif-node-red-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const proxy = await startFailingProxy(process.env.SERVICE_URL ?? '', failures);
  onTestFinished(proxy.stop);
  const port = await freePort();
  const settings = { uiPort: port, uiHost: '127.0.0.1', flowFile: 'flows.json', credentialSecret: 'uji' };
  const text = JSON.stringify({ ...settings, telemetry: { enabled: false } });
  await writeFile(join(folder, 'settings.js'), `module.exports = ${text}`);
  const program = join(await installed('node-red', '5.0.7'), 'node_modules', 'node-red', 'red.js');
  const args = [program, '--userDir', folder, '--settings', join(folder, 'settings.js')];
  const env = { PATH: nodeFirst, HOME: folder };
  const nodeRed = startProgram(process.execPath, args, { cwd: folder, env, extendEnv: false });
  onTestFinished(() => nodeRed.stop());
  const { flow } = await downloadFlow();
  const send = nodeOf(flow, 'Send');
  const url = String(send.url).replace(process.env.SERVICE_URL ?? '', proxy.url);
  Object.assign(send, { url, credentials: { password: key } });
  const data = nodeOf(flow, 'Your data');
  data.func = String(data.func).replace(/const rows = .*;/, `const rows = ${JSON.stringify(rows)};`);
  nodeOf(flow, 'Wait a minute').timeout = '1';
  const ways = nodeOf(flow, 'Which answer?').wires;
  ways[0]?.push('probe-sent');
  ways[1]?.push('probe-refused');
  probe(flow, 'probe-sent', 'SENT', 'msg.payload');
  probe(flow, 'probe-refused', 'REFUSED', '{ reason: msg.reason, nama: msg.notification.isi.split(",")[0] }');
  await nodeRed.says(/Started flows/);
  const admin = (path: string, body: unknown) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Node-RED-Deployment-Type': 'full' },
      body: JSON.stringify(body),
    });
  expect((await admin('/flows', flow)).status).toBe(204);
  await nodeRed.says(/Updated flows[\s\S]*Started flows/);
  expect((await admin(`/inject/${nodeOf(flow, 'Start').id}`, {})).status).toBe(200);
  const ended = (count: number) => nodeRed.says(new RegExp(`(?:(?:SENT|REFUSED) \\{.*\\n[\\s\\S]*?){${count}}`));
  const said = (word: string) =>
    [...nodeRed.output().matchAll(new RegExp(`${word} (\\{.*\\})$`, 'gm'))].map(([, text = '']) => JSON.parse(text));
  return { ended, proxy, sent: () => said('SENT'), refused: () => said('REFUSED') };
}

test('Node-RED: the offered flow is the printed one, holds no key and stays below the limit', async () => {
  const { text, flow } = await downloadFlow();
  const block = (await printed('recipes/node-red', 'id')).find(({ file }) => file === 'node-red-flow.json');
  expect(block?.text).toBe(text.trimEnd());
  expect(text).not.toMatch(/jss_|credentials/);
  const { rate, nbRateUnits, rateUnits } = nodeOf(flow, '54 a minute');
  expect([nbRateUnits, rateUnits, Number(rate) < requestsPerMinute]).toEqual(['1', 'minute', true]);
  const { timeout, timeoutUnits } = nodeOf(flow, 'Wait a minute');
  expect([timeout, timeoutUnits]).toEqual(['60', 'seconds']);
});

test('Node-RED: the flow sends each row once over 429, 503 and a lost answer, and reports refusals', async () => {
  const { company, employee, key } = await makePlace('node-red');
  await company.hire('Orang lain');
  const user_id = employee.employeeId;
  const rows = [
    { nama: 'Baik', jam: '08.00', user_id },
    { nama: 'Tanpa', jam: '09.00' },
    { nama: 'Kosong', jam: '09.00', user_id: '' },
    { nama: 'Asing', jam: '09.00', user_id: 1 },
    { nama: 'x'.repeat(300), jam: '09.00', user_id },
  ];
  const flow = await runFlow(key, rows, [429, 503, 'answer lost']);
  await flow.ended(rows.length);
  expect(flow.sent()).toEqual([{ ok: true, terkirim: 1 }]);
  const refusal = (nama: string, user: unknown) =>
    refusalOf(key, { judul: 'Jadwal besok', isi: `${nama}, Anda masuk pukul 09.00.`, user_id: user });
  expect(Object.fromEntries(flow.refused().map(({ nama, reason }) => [nama, reason]))).toEqual({
    Tanpa: await refusal('Tanpa', null),
    Kosong: await refusal('Kosong', ''),
    Asing: await refusal('Asing', 1),
    ['x'.repeat(300)]: await refusal('x'.repeat(300), user_id),
  });
  expect(flow.proxy.onceKeys).toHaveLength(8);
  expect(new Set(flow.proxy.onceKeys).size).toBe(5);
  expect(await readTraces(company, employee)).toEqual({
    inbox: [{ title: 'Jadwal besok', body: 'Baik, Anda masuk pukul 08.00.' }],
    audit: [{ key: 'node-red', title: 'Jadwal besok' }],
  });
});
