import { insertCallers } from '#bench/companies.ts';
import { requireAll200, startDriver } from '#bench/driver/driver.ts';
import type { Measured } from '#bench/report.ts';
import type { Stage } from '#harness/stage.ts';
import { summarise } from '#harness/statistics.ts';

const connections = 16;

/**
 * N1, N2: pings per second of one process and of two, in turns. There is no goal, because the load
 * and the database share the processor.
 */
export async function measureProcesses(stage: Stage): Promise<Measured[]> {
  const { rounds, seconds } = stage.quick ? { rounds: 3, seconds: 1 } : { rounds: 7, seconds: 1.5 };
  const { url, adminUrl } = await stage.createDatabase();
  const callers = await insertCallers(adminUrl, { companies: stage.quick ? 20 : 300, employees: 1, keys: 50 });
  const services = [await stage.startFront(url), await stage.startFront(url, { PROCESSES: '2' })];
  const driver = await startDriver();
  const rates: number[][] = [[], []];
  let from = 0;
  // The first round is a warm-up.
  for (let round = -1; round < rounds; round++)
    for (const [at, service] of services.entries()) {
      const load = { do: 'load', operation: 'ping', callers, connections, seconds, from } as const;
      const report = await driver.run(service.url, load);
      requireAll200(report);
      from = report.next;
      if (round >= 0) rates[at]?.push(report.count / report.seconds);
    }
  await driver.stop();
  const [one = [], two = []] = rates;
  const ratios = two.map((rate, round) => rate / (one[round] ?? Number.NaN));
  return [
    { id: 'N1', what: 'ping, one process', unit: 'requests/s', goal: null, ...summarise(one) },
    { id: 'N2', what: 'ping, two processes', unit: 'requests/s', goal: null, ...summarise(two) },
    { id: 'N2÷1', what: 'ping, two processes ÷ one', unit: '', goal: null, ...summarise(ratios) },
  ];
}
