import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import type { Measured } from '#bench/report.ts';
import { insertCompanies } from '#e2e/support/data/seeded.ts';
import { summarise } from '#e2e/support/figures.ts';
import { freePort, startService } from '#e2e/support/service/service.ts';
import type { Stage } from '#e2e/support/service/stage.ts';

const path = '/api/v1/notif.php';

/** P11: seconds from the start of a process to the first 200: with a database, and with that of a trial. */
export async function measureStart(stage: Stage): Promise<Measured[]> {
  const { url, adminUrl } = await stage.createDatabase();
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const [company] = await insertCompanies(admin, {});
  await admin.end();
  const rounds = stage.quick ? 3 : 7;
  const asked = [{ path: `${path}?aksi=ping`, key: company?.keys[0] }, { path: '/login' }];
  const [firsts = [], pages = []] = await timeStarts(stage.settingsOf(url), rounds, asked);
  const dataDir = await mkdtemp(join(tmpdir(), 'notif-trial-'));
  const trial = { DATA_DIR: dataDir, NODE_ENV: 'production' };
  // The first start creates the database and the key.
  const first = await startService(trial, undefined, /only its fingerprint/);
  const key = /X-API-Key: (jss_\w+)/.exec(first.output())?.[1];
  await first.stop();
  const body = '{"judul":"Rapat","isi":"Semua hadir di aula."}';
  const [sends = []] = await timeStarts(trial, rounds, [{ path, key, body }]);
  await rm(dataDir, { recursive: true, force: true });
  const what = 'start with the embedded database to the first answered send';
  return [
    { id: 'P11', what: 'start to the first 200 of a ping', unit: 's', atMost: 2, ...summarise(firsts) },
    { id: 'P11', what: 'start to the first page', unit: 's', ...summarise(pages) },
    { id: 'P11', what, unit: 's', atMost: 1, ...summarise(sends) },
  ];
}

type Asked = { path: string; key?: string; body?: string };

// Starts a service several times. Returns, for each request, the seconds to its first 200.
async function timeStarts(settings: Record<string, string>, rounds: number, asked: Asked[]): Promise<number[][]> {
  const seconds = asked.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    const port = String(await freePort());
    const address = `http://127.0.0.1:${port}`;
    const started = performance.now();
    const running = startService({ ...settings, PORT: port, APP_URL: address });
    for (const [place, one] of asked.entries()) {
      await untilAnswered(address, one);
      seconds[place]?.push((performance.now() - started) / 1000);
    }
    await (await running).stop();
  }
  return seconds;
}

async function untilAnswered(address: string, { path, key = '', body }: Asked): Promise<void> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  for (;;) {
    const answer = await fetch(address + path, { method: body ? 'POST' : 'GET', headers, body }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await wait(10);
  }
}
