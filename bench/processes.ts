import { runLoad } from '#bench/load.ts';
import type { Measured } from '#bench/report.ts';
import { makeCallers } from '#harness/callers.ts';
import type { Stage } from '#harness/stage.ts';
import { summarise } from '#harness/statistics.ts';

const connections = 16;

/**
 * N1, N2: pings per second of one process and of two, in turns. There is no goal, because the load
 * and the database share the processor.
 */
export async function measureProcesses(stage: Stage): Promise<Measured[]> {
  const { rounds, seconds } = stage.quick ? { rounds: 3, seconds: 1 } : { rounds: 7, seconds: 1.5 };
  const { url } = await stage.createDatabase();
  const callers = await makeCallers(url, { companies: stage.quick ? 20 : 80, employees: 1, keys: 50 });
  const services = [await stage.startFront(url), await stage.startFront(url, { PROCESSES: '2' })];
  const rates: number[][] = [[], []];
  let from = 0;
  // The first round is a warm-up.
  for (let round = -1; round < rounds; round++)
    for (const [at, service] of services.entries()) {
      const load = { url: service.url, operation: 'ping' as const, callers, connections, seconds, from };
      const { count, seconds: took, next } = await runLoad(load);
      from = next;
      if (round >= 0) rates[at]?.push(count / took);
    }
  const [one = [], two = []] = rates;
  const ratios = two.map((rate, round) => rate / (one[round] ?? Number.NaN));
  return [
    { id: 'N1', what: 'ping, one process', unit: 'requests/s', goal: null, ...summarise(one) },
    { id: 'N2', what: 'ping, two processes', unit: 'requests/s', goal: null, ...summarise(two) },
    { id: 'N2÷1', what: 'ping, two processes ÷ one', unit: '', goal: null, ...summarise(ratios) },
  ];
}
