import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insertCallers } from '#bench/companies.ts';
import type { Measured } from '#bench/report.ts';
import { summarise } from '#e2e/support/figures.ts';
import { freePort, startService } from '#e2e/support/service/service.ts';
import type { Stage } from '#e2e/support/service/stage.ts';

/** P11: seconds from the start of a process to the first 200: with a database, and with that of a trial. */
export async function measureStart(stage: Stage): Promise<Measured[]> {
  const { url, adminUrl } = await stage.createDatabase();
  const [caller] = await insertCallers(adminUrl, { companies: 1, employees: 1, keys: 1 });
  const key = caller?.key ?? '';
  const rounds = stage.quick ? 3 : 7;
  const { firsts, pages } = await timeStarts(stage.settingsOf(url), key, rounds);
  return [
    { id: 'P11', what: 'start to the first 200 of a ping', unit: 's', goal: { atMost: 2 }, ...summarise(firsts) },
    { id: 'P11', what: 'start to the first page', unit: 's', goal: null, ...summarise(pages) },
    await measureTrial(rounds),
  ];
}

// The first start creates the database and the key.
async function measureTrial(rounds: number): Promise<Measured> {
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-trial-'));
  const first = await startService({ DATA_DIR: dataDir, NODE_ENV: 'production' }, undefined, /only its fingerprint/);
  const key = /X-API-Key: (jss_\w+)/.exec(first.output())?.[1] ?? '';
  await first.stop();
  const sends: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const port = String(await freePort());
    const started = performance.now();
    const running = startService({ DATA_DIR: dataDir, NODE_ENV: 'production', PORT: port });
    const body = '{"judul":"Rapat","isi":"Semua hadir di aula."}';
    const answered = await untilAnswered(`http://127.0.0.1:${port}/api/v1/notif.php`, key, body);
    sends.push((answered - started) / 1000);
    await (await running).stop();
  }
  await rm(dataDir, { recursive: true, force: true });
  const what = 'start with the embedded database to the first answered send';
  return { id: 'P11', what, unit: 's', goal: { atMost: 1 }, ...summarise(sends) };
}

async function timeStarts(settings: Record<string, string>, key: string, rounds: number) {
  const [firsts, pages]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const port = String(await freePort());
    const address = `http://127.0.0.1:${port}`;
    const started = performance.now();
    const running = startService({ ...settings, PORT: port, APP_URL: address });
    firsts.push(((await untilAnswered(`${address}/api/v1/notif.php?aksi=ping`, key)) - started) / 1000);
    pages.push(((await untilAnswered(`${address}/login`, '')) - started) / 1000);
    await (await running).stop();
  }
  return { firsts, pages };
}

async function untilAnswered(url: string, key: string, body?: string): Promise<number> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  for (;;) {
    const answer = await fetch(url, { method: body ? 'POST' : 'GET', headers, body }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return performance.now();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
