import { connect, type Socket } from 'node:net';
import { insertCallers } from '#bench/companies.ts';
import type { Measured } from '#bench/report.ts';
import { readAnswer, sendRequestOf } from '#bench/request.ts';
import type { Caller } from '#e2e/support/data/callers.ts';
import { summarise } from '#e2e/support/figures.ts';
import type { Stage } from '#e2e/support/service/stage.ts';

type Subject = { url: string; employees: number; callers: Caller[]; goal: Measured['goal'] };

/**
 * P3: the cost of a send to everyone compared with a send to one person, for companies of 10 to
 * 100,000 employees, in turns on one connection.
 */
export async function measureBroadcast(stage: Stage): Promise<Measured[]> {
  const { url: database, adminUrl } = await stage.createDatabase();
  const sizes = stage.quick ? [10, 10_000] : [10, 1000, 10_000, 100_000];
  const companies = new Map<number, Caller[]>();
  for (const employees of sizes)
    companies.set(employees, await insertCallers(adminUrl, { companies: 1, employees, keys: 50 }));
  const { url } = await stage.startFront(database);
  const largest = sizes.at(-1) ?? 0;
  const subjects: Subject[] = [...companies].map(([employees, callers]) => {
    const goal = employees === largest ? { atMost: 1.2 } : null;
    return { url, employees, callers, goal };
  });
  const measured: Measured[] = [];
  for (const subject of subjects) measured.push(await compare(subject, stage.quick ? 7 : 11));
  return measured;
}

async function compare({ url, employees, callers, goal }: Subject, rounds: number): Promise<Measured> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const ratios: number[] = [];
  const medians = { toAll: [] as number[], toOne: [] as number[] };
  let serial = 0;
  for (let round = -1; round < rounds; round++) {
    const taken = { toAll: [] as number[], toOne: [] as number[] };
    for (let turn = 0; turn < 100; turn++) {
      const caller = callers[serial++ % callers.length];
      if (!caller) continue;
      taken.toOne.push(await time(socket, sendRequestOf(url, caller, serial)));
      taken.toAll.push(await time(socket, sendRequestOf(url, { ...caller, userId: 0 }, serial + 1e6)));
    }
    if (round < 0) continue;
    const [all, one] = [summarise(taken.toAll).value, summarise(taken.toOne).value];
    medians.toAll.push(all);
    medians.toOne.push(one);
    ratios.push(all / one);
  }
  socket.destroy();
  const note = `medians ${summarise(medians.toAll).value.toFixed(2)} ms and ${summarise(medians.toOne).value.toFixed(2)} ms`;
  const what = `send to all ${employees.toLocaleString('en-GB')} ÷ send to one`;
  return { id: 'P3', what, unit: '', goal, ...summarise(ratios), note };
}

async function time(socket: Socket, request: string): Promise<number> {
  const started = performance.now();
  socket.write(request);
  const answer = await readAnswer(socket);
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`not answered 200: ${answer}`);
  return performance.now() - started;
}
