import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Line, type LineAnswer, openLine } from '#e2e/fixtures/line.ts';
import { type Company, makeCompany } from '#harness/company.ts';
import { recordFigures, rounds } from '#harness/figures.ts';
import { freePort, type Service, startService } from '#harness/service.ts';
import { percentile } from '#harness/statistics.ts';

const path = '/api/v1/notif.php';
const perSecond = 50;
const clients = 10;

const startOn = (port: number, processes: number) =>
  startService(
    {
      DATABASE_URL: process.env.DATABASE_URL,
      AUTH_SECRET: process.env.AUTH_SECRET,
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    ['server/main.ts', '--processes', String(processes)],
  );

type Sent = { title: string; answer: LineAnswer; ms: number };

/**
 * Sends over keep-alive connections as a proxy does: when a connection cannot be opened, nothing
 * was sent, and it uses the next service.
 */
async function keepSending(urls: string[], keys: string[], name: string, isOver: () => boolean): Promise<Sent[]> {
  const done: Sent[] = [];
  let at = 0;
  let line: Line = openLine(urls[0] ?? '');
  while (!isOver() && done.length < keys.length * 60) {
    const title = `${name} ${done.length}`;
    const headers = { 'X-API-Key': keys[Math.floor(done.length / 60)] ?? '', 'Content-Type': 'application/json' };
    const body = JSON.stringify({ judul: title, isi: 'Isi' });
    const started = performance.now();
    const answer = await line.ask(path, { method: 'POST', headers, body });
    if (answer.status === 0 && answer.text.includes('ECONNREFUSED')) {
      line.close();
      at += 1;
      line = openLine(urls[at % urls.length] ?? '');
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    done.push({ title, answer, ms: performance.now() - started });
    await new Promise((resolve) => setTimeout(resolve, (1000 * clients) / perSecond));
  }
  line.close();
  return done;
}

/** Creates companies with enough keys for some minutes of 50 sends per second, per client. */
async function makeKeys(minutes: number): Promise<{ companies: Company[]; keys: string[][] }> {
  const companies: Company[] = [];
  while (companies.length < minutes) companies.push(await makeCompany());
  const keys = Array.from({ length: clients }, () =>
    Promise.all(companies.flatMap(({ newKey }) => Array.from({ length: 50 / clients }, () => newKey()))),
  );
  return { companies, keys: await Promise.all(keys) };
}

/** Runs `during` while ten clients together send 50 requests per second. */
async function underLoad(urls: string[], keys: string[][], name: string, during: () => Promise<void>): Promise<Sent[]> {
  let over = false;
  const sending = keys.map((own, client) => {
    const from = client % urls.length;
    return keepSending([...urls.slice(from), ...urls.slice(0, from)], own, `${name} ${client}`, () => over);
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await during().finally(() => {
    over = true;
  });
  return (await Promise.all(sending)).flat();
}

// Every request got 200 and every send is stored exactly once.
async function expectNoneLost(companies: Company[], sent: Sent[]): Promise<void> {
  const ids = companies.map(({ owner }) => owner.companyId);
  const failed = sent.filter(({ answer }) => answer.status !== 200);
  expect(failed.map(({ title, answer: { status, text, reused } }) => ({ title, status, text, reused }))).toEqual([]);
  const rows = await sql()<{ title: string }[]>`select title from notifications where company_id = any(${ids}::int[])`;
  expect(rows.map(({ title }) => title).sort()).toEqual(sent.map(({ title }) => title).sort());
}

test('restarts by SIGTERM and SIGHUP behind a proxy fail and lose no send (X8)', async () => {
  const ports = [await freePort(), await freePort()];
  const turns = rounds(1, 10);
  const both = await Promise.all(ports.map((port, place) => startOn(port, rounds(1, place + 1))));
  let [single, several] = both as [Service, Service];
  const { companies, keys } = await makeKeys(rounds(1, 4));
  const stopMs: number[] = [];
  const replaced = () => several.output().match(/the processes were replaced/g)?.length ?? 0;
  const urls = both.map(({ url }) => url);
  const sent = await underLoad(urls, keys, 'digilir', async () => {
    for (let turn = 1; turn <= turns; turn++) {
      const stopped = await single.stop('SIGTERM');
      expect(stopped.code).toBe(0);
      stopMs.push(stopped.ms);
      single = await startOn(ports[0] ?? 0, 1);
      if (turns > 1) several.process.kill('SIGHUP');
      if (turns > 1) await expect.poll(replaced, { timeout: 120_000 }).toBe(turn);
    }
  });
  await expectNoneLost(companies, sent);
  for (const ms of stopMs) expect(ms).toBeLessThan(10_000);
  await Promise.all([single.stop(), several.stop()]);
  await recordFigures('X8', {
    restarts: turns,
    sends: sent.length,
    failed: 0,
    slowestStopMs: Math.round(Math.max(...stopMs)),
    p99Ms: Math.round(
      percentile(
        sent.map(({ ms }) => ms),
        0.99,
      ),
    ),
  });
});
