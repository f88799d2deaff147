import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';

// Sends requests to pages, actions and the sign-in that are expensive to decode, and measures how
// long others wait meanwhile. It needs no file of the project, so it also measures other versions:
// node e2e/fuzz/page-flood.ts http://127.0.0.1:3000 [--rate 50] [--seconds 20] [--only NAME]
//   [--key KEY] [--pid PID] [--rest 60]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    only: { type: 'string' },
    key: { type: 'string' },
    pid: { type: 'string' },
    rest: { type: 'string', default: '60' },
    send: { type: 'boolean', default: false },
  },
});
const url = new URL(positionals[0] ?? 'http://127.0.0.1:3000');
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

type Answer = { status: number; text: string; ms: number };
type Attack = { name: string; path: string; headers: Record<string, string>; body: Buffer };

function ask(path: string, method = 'GET', headers: Record<string, string> = {}, body?: Buffer): Promise<Answer> {
  const started = performance.now();
  return new Promise((resolve) => {
    const asked = request(new URL(path, url), { method, headers, agent }, (came) => {
      let text = '';
      came.setEncoding('utf8').on('data', (part: string) => (text += part));
      came.on('close', () => resolve({ status: came.statusCode ?? 0, text, ms: performance.now() - started }));
    });
    asked.on('error', () => resolve({ status: 0, text: '', ms: performance.now() - started }));
    asked.setTimeout(60_000, () => asked.destroy());
    asked.end(body);
  });
}

async function findActionId(): Promise<string> {
  const page = await ask('/login');
  const scripts = [...page.text.matchAll(/src="(\/_next\/static\/[^"]+\.js)"/g)].map(([, path]) => path ?? '');
  for (const script of scripts) {
    const found = /"([0-9a-f]{42})"/.exec((await ask(script)).text)?.[1];
    if (found) return found;
  }
  throw new Error('no action in the scripts of /login');
}

const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const multipart = (parts: string[]) => Buffer.from(`${parts.join('')}--b--\r\n`);
const range = (count: number) => Array.from({ length: count }, (_, at) => at);

function listAttacks(id: string): Attack[] {
  const action = { 'Next-Action': id, Accept: 'text/x-component', Origin: url.origin };
  const form = { ...action, 'Content-Type': 'multipart/form-data; boundary=b' };
  const brackets = (count: number) => Buffer.from('['.repeat(count) + ']'.repeat(count));
  const references = (count: number) =>
    multipart([
      part('0', JSON.stringify(range(count).map((at) => `$${(at + 1).toString(16)}`))),
      ...range(count).map((at) =>
        part((at + 1).toString(), `["$${((at + 2) % count).toString(16)}","${'x'.repeat(40)}"]`),
      ),
    ]);
  const fields = (count: number) => multipart(range(count).map((at) => part(String(at), '1')));
  const plain = { 'Content-Type': 'text/plain;charset=UTF-8' };
  const json = { Origin: url.origin, 'Content-Type': 'application/json' };
  const at = (path: string, name: string, headers: Record<string, string>, body: Buffer) => ({
    name,
    path,
    headers,
    body,
  });
  const signIn = ['/api/auth/sign-in', '/api/auth/callback/credentials'];
  return [
    at('/login', 'brackets', { ...action, ...plain }, brackets(500_000)),
    at('/login', 'references', form, references(3000)),
    at('/login', 'fields', form, fields(6000)),
    at('/login', 'short-brackets', { ...action, ...plain }, brackets(8000)),
    at('/login', 'short-references', { ...action, ...plain }, Buffer.from(JSON.stringify(range(2500).map(() => '$0')))),
    at('/login', 'short-fields', form, fields(200)),
    at('/login', 'unknown-action', { ...action, ...plain, 'Next-Action': '0'.repeat(42) }, brackets(500_000)),
    ...signIn.map((path) => at(path, 'sign-in-brackets', json, brackets(500_000))),
    ...signIn.map((path) => at(path, 'sign-in-short', json, brackets(8000))),
    ...signIn.map((path) => at(path, 'sign-in-form', { ...form, Origin: url.origin }, references(3000))),
  ];
}

const add = (counts: Record<string, number>, name: string) => (counts[name] = (counts[name] ?? 0) + 1);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

// The sender is a process of its own, so that its work does not delay the measured requests.
async function send(): Promise<void> {
  const attacks = listAttacks(await findActionId()).filter(({ name }) => !values.only || name === values.only);
  const [answers, waits, running]: [Record<string, number>, number[], Promise<void>[]] = [{}, [], []];
  const until = performance.now() + Number(values.seconds) * 1000;
  for (let sent = 0, due = performance.now(); due < until; sent++, due += 1000 / Number(values.rate)) {
    await sleep(Math.max(0, due - performance.now()));
    const attack = attacks[sent % attacks.length];
    if (!attack) throw new Error(`no attack is called ${values.only}`);
    const { name, path, headers, body } = attack;
    const asked = ask(path, 'POST', { ...headers, 'Content-Length': String(body.length) }, body);
    const note = async () => {
      const { status, ms } = await asked;
      add(answers, `${name} ${status}`);
      waits.push(ms);
    };
    running.push(note());
  }
  await Promise.all(running);
  console.log(`${running.length} hostile requests: ${JSON.stringify(answers)}`);
  console.log(`their answers: ${describe(waits)}`);
}

function describe(waits: number[]): string {
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms of ${sorted.length}`;
}

function readMemory(): string {
  if (!values.pid) return '';
  const status = readFileSync(`/proc/${values.pid}/status`, 'utf8');
  return `${Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)} MB`;
}

async function ping(isOver: () => boolean): Promise<void> {
  const headers: Record<string, string> = values.key ? { 'X-API-Key': values.key } : {};
  const path = values.key ? '/api/v1/notif.php?aksi=ping' : '/health/live';
  const waits: number[] = [];
  const running: Promise<unknown>[] = [];
  while (!isOver()) {
    running.push(ask(path, 'GET', headers).then(({ ms }) => waits.push(ms)));
    await sleep(25);
  }
  await Promise.all(running);
  console.log(`${path}: ${describe(waits)}`);
}

async function measure(): Promise<void> {
  for (const _ of range(20)) await ask('/login');
  const quietUntil = performance.now() + 5000;
  console.log(`quiet ${readMemory()}`);
  await ping(() => performance.now() > quietUntil);
  const sender = spawn(process.execPath, [...process.argv.slice(1), '--send'], { stdio: 'inherit' });
  const ended = new Promise((resolve) => sender.once('close', resolve));
  await sleep(1500);
  console.log('attacked');
  await ping(() => sender.exitCode !== null);
  await ended;
  if (!values.pid) return;
  console.log(`afterwards ${readMemory()}`);
  await sleep(Number(values.rest) * 1000);
  console.log(`${values.rest} s later ${readMemory()}`);
}

await (values.send ? send() : measure());
agent.destroy();
