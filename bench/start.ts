import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measured } from '#bench/report.ts';
import { makeCallers } from '#e2e/support/data/callers.ts';
import { summarise } from '#e2e/support/figures.ts';
import { freePort, startService } from '#e2e/support/service/service.ts';
import type { Stage } from '#e2e/support/service/stage.ts';

/**
 * P11: seconds from the start of the process to the first 200, with a database and built pages, and
 * with the embedded database of a trial that was started before; also for plain `next start`.
 */
export async function measureStart(stage: Stage): Promise<Measured[]> {
  const { url } = await stage.createDatabase();
  const [caller] = await makeCallers(url, { companies: 1, employees: 1, keys: 1 });
  const key = caller?.key ?? '';
  const front = { rounds: stage.quick ? 3 : 7, args: ['server/main.ts'], ready: /is running/ };
  const { firsts, pages } = await timeStarts(stage.settingsOf(url), key, front);
  const measured: Measured[] = [
    { id: 'P11', what: 'start to the first 200 of a ping', unit: 's', goal: { atMost: 2 }, ...summarise(firsts) },
    { id: 'P11', what: 'start to the first page', unit: 's', goal: null, ...summarise(pages) },
    await measureTrial(stage.quick ? 3 : 7),
  ];
  if (stage.quick) return measured;
  const next = { rounds: 7, args: ['node_modules/next/dist/bin/next', 'start'], ready: /Ready in/ };
  const ofNext = summarise((await timeStarts(stage.settingsOf(url), key, next)).firsts);
  return [...measured, { id: 'P11', what: 'start to the first 200, next start', unit: 's', goal: null, ...ofNext }];
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

type Starting = { rounds: number; args: string[]; ready: RegExp };

async function timeStarts(settings: Record<string, string>, key: string, { rounds, args, ready }: Starting) {
  const [firsts, pages]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const port = String(await freePort());
    const address = `http://127.0.0.1:${port}`;
    const started = performance.now();
    const running = startService({ ...settings, PORT: port, APP_URL: address }, args, ready);
    firsts.push(((await untilAnswered(`${address}/api/v1/notif.php?aksi=ping`, key)) - started) / 1000);
    pages.push(((await untilAnswered(`${address}/login`, '')) - started) / 1000);
    await (await running).stop();
  }
  return { firsts, pages };
}

async function untilAnswered(url: string, key: string, body?: string): Promise<number> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  for (;;) {
    const status = await fetch(url, { method: body ? 'POST' : 'GET', headers, body }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status === 200) return performance.now();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
