import { insertCallers } from '#bench/companies.ts';
import { type Operation, runLoad } from '#bench/load.ts';
import { cpuMsOfTree } from '#bench/process-tree.ts';
import type { Measured } from '#bench/report.ts';
import { summarise } from '#e2e/support/figures.ts';
import type { Stage } from '#e2e/support/service/stage.ts';

const works: { id: string; what: string; operation: Operation }[] = [
  { id: 'P1', what: 'pings', operation: 'ping' },
  { id: 'P2', what: 'sends to one, idempotent, audited', operation: 'send' },
];

/** P1 and P2: pings and sends per second over 24 connections, with keys of many companies. */
export async function measureHttp(stage: Stage): Promise<Measured[]> {
  const { url, adminUrl } = await stage.createDatabase();
  const callers = await insertCallers(adminUrl, { companies: stage.quick ? 200 : 600, employees: 1, keys: 50 });
  const service = await stage.startFront(url);
  const { rounds, seconds } = stage.quick ? { rounds: 4, seconds: 1 } : { rounds: 7, seconds: 3 };
  const measured: Measured[] = [];
  let from = 0;
  for (const { id, what, operation } of works) {
    const found: { perSecond: number; p99: number; cpuMs: number; cores: number }[] = [];
    for (let round = -1; round < rounds; round++) {
      const before = await cpuMsOfTree(service.process.pid ?? 0);
      const report = await runLoad(service.url, { operation, callers, connections: 24, seconds, from });
      const cpuMs = ((await cpuMsOfTree(service.process.pid ?? 0)) - before) / report.count;
      from = report.next;
      // The first round is a warm-up.
      if (round >= 0) found.push({ ...report, perSecond: report.count / report.seconds, cpuMs });
    }
    const median = (name: keyof (typeof found)[number]) => summarise(found.map((round) => round[name])).value;
    const cores = Math.max(...found.map((round) => round.cores)).toFixed(2);
    const note = `p99 ${median('p99').toFixed(1)} ms; ${median('cpuMs').toFixed(3)} ms of the service’s CPU each; driver at most ${cores} of a core`;
    const rates = summarise(found.map(({ perSecond }) => perSecond));
    measured.push({ id, what, unit: 'requests/s', goal: null, ...rates, note });
  }
  return measured;
}
