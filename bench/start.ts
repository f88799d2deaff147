import { makeCallers } from '#bench/callers.ts';
import { type Measured, summarise } from '#bench/report.ts';
import type { Stage } from '#bench/stage.ts';
import { freePort, startService } from '#e2e/fixtures/service.ts';

// P11: from the start of the process to the first 200, with the database there and the pages built.

/** P11. */
export async function measureStart(stage: Stage): Promise<Measured[]> {
  const { url } = await stage.createDatabase();
  const [caller] = await makeCallers(url, { companies: 1, employees: 1, keys: 1 });
  const firsts: number[] = [];
  const pages: number[] = [];
  for (let round = 0; round < (stage.quick ? 3 : 7); round++) {
    const port = String(await freePort());
    const address = `http://127.0.0.1:${port}`;
    const started = performance.now();
    const running = startService({ ...stage.settingsOf(url), PORT: port, APP_URL: address });
    firsts.push((await untilAnswered(`${address}/api/v1/notif.php?aksi=ping`, caller?.key ?? '')) - started);
    pages.push((await untilAnswered(`${address}/login`, '')) - started);
    await (await running).stop();
  }
  const inSeconds = (values: number[]) => summarise(values.map((ms) => ms / 1000));
  return [
    { id: 'P11', what: 'start to the first 200 of a ping', unit: 's', goal: { atMost: 2 }, ...inSeconds(firsts) },
    { id: 'P11', what: 'start to the first page', unit: 's', goal: null, ...inSeconds(pages) },
  ];
}

async function untilAnswered(url: string, key: string): Promise<number> {
  for (;;) {
    const status = await fetch(url, { headers: { 'X-API-Key': key } }).then(
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
