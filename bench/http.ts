import { insertCallers } from '#bench/companies.ts';
import type { Statement } from '#bench/floor.ts';
import { type Operation, runLoad } from '#bench/load.ts';
import { cpuMsOfTree } from '#bench/process-tree.ts';
import type { Measured } from '#bench/report.ts';
import { sqlForSends } from '#db/client.ts';
import { type Caller, enterDatabase } from '#e2e/support/data/callers.ts';
import { toOne } from '#e2e/support/data/sends.ts';
import { summarise } from '#e2e/support/figures.ts';
import { freePort, type Service, startService } from '#e2e/support/service/service.ts';
import type { Stage } from '#e2e/support/service/stage.ts';
import { newRequestId } from '#server/request-id.ts';
import { sendNotification } from '#server/sends/by-key.ts';

type Work = { id: string; what: string; operation: Operation; connections: number; goal: number };

const allWorks: Work[] = [
  { id: 'P1', what: 'ping', operation: 'ping', connections: 24, goal: 0.7 },
  { id: 'P2', what: 'send to one, idempotent, audited', operation: 'send', connections: 24, goal: 0.7 },
  { id: 'P17', what: 'ping at 64 connections', operation: 'ping', connections: 64, goal: 1.5 },
];

type Runner = { name: string; url: string; pid: number };
type Round = { perSecond: number; cpuMs: number; p99: number; cores: number };

/**
 * P1, P2 and P17: pings and sends per second, compared with the floor on the same database. They take
 * turns in each round, in random order; a ratio is computed per round.
 */
export async function measureHttp(stage: Stage): Promise<Measured[]> {
  const { url, adminUrl } = await stage.createDatabase();
  const callers = await insertCallers(adminUrl, { companies: stage.quick ? 200 : 600, employees: 1, keys: 50 });
  const statement = await recordStatement(url);
  const floor = await startFloor(url, statement);
  const runners = [asRunner('front', await stage.startFront(url)), asRunner('floor', floor)];
  try {
    return await compare(runners, allWorks, callers, stage.quick);
  } catch (error) {
    throw new Error(`the floor said: ${floor.output()}`, { cause: error });
  } finally {
    await floor.stop();
  }
}

const asRunner = (name: string, { url, process }: Service): Runner => ({ name, url, pid: process.pid ?? 0 });

async function compare(runners: Runner[], works: Work[], callers: Caller[], quick: boolean): Promise<Measured[]> {
  const { rounds, seconds } = quick ? { rounds: 4, seconds: 1 } : { rounds: 7, seconds: 3 };
  const measured: Measured[] = [];
  let from = 0;
  for (const work of works) {
    const found = new Map<string, Round[]>(runners.map(({ name }) => [name, []]));
    for (let round = -1; round < rounds; round++)
      for (const runner of shuffle(runners)) {
        const { figures, next } = await measureRound(runner, work, callers, from, seconds);
        from = next;
        // The first round is a warm-up.
        if (round >= 0) found.get(runner.name)?.push(figures);
      }
    measured.push(...describe(work, found));
  }
  return measured;
}

async function measureRound(
  { url, pid }: Runner,
  { operation, connections }: Work,
  callers: Caller[],
  from: number,
  seconds: number,
): Promise<{ figures: Round; next: number }> {
  const before = await cpuMsOfTree(pid);
  const report = await runLoad(url, { operation, callers, connections, seconds, from });
  const cpuMs = ((await cpuMsOfTree(pid)) - before) / report.count;
  const { count, p99, next, cores } = report;
  return { figures: { perSecond: count / report.seconds, cpuMs, p99, cores }, next };
}

function describe({ id, what, goal }: Work, found: Map<string, Round[]>): Measured[] {
  const floor = found.get('floor');
  return [...found].flatMap(([name, rounds]) => {
    const perSecond = summarise(rounds.map((round) => round.perSecond));
    const cpu = summarise(rounds.map(({ cpuMs }) => cpuMs)).value.toFixed(3);
    const p99 = summarise(rounds.map((round) => round.p99)).value.toFixed(1);
    const cores = Math.max(...rounds.map((round) => round.cores)).toFixed(2);
    const note = `p99 ${p99} ms; ${cpu} ms of the server’s CPU each; driver at most ${cores} of a core`;
    const rate: Measured = { id, what: `${what}, ${name}`, unit: 'requests/s', goal: null, ...perSecond, note };
    if (name === 'floor' || !floor) return [rate];
    const ratios = rounds.map((round, at) => round.perSecond / (floor[at]?.perSecond ?? Number.NaN));
    const ratio = { id, what: `${what}, ${name} ÷ floor`, unit: '' as const, ...summarise(ratios) };
    return [{ ...ratio, goal: { atLeast: goal } }, rate];
  });
}

function shuffle<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/**
 * Records the SQL of a send: runs the service's function once for a company that does not exist.
 * Unique values mark which parameters belong to a request.
 */
async function recordStatement(url: string): Promise<Statement> {
  await enterDatabase(url);
  const sent: Statement[] = [];
  const driver = sqlForSends().options as { debug: unknown };
  // Makes the driver send its own first query, which must not be recorded.
  await sqlForSends()`select 1`;
  driver.debug = (_: number, text: string, parameters: { value?: unknown }[]) =>
    sent.push({
      text,
      parameters: parameters.map((one) => (one && typeof one === 'object' && 'value' in one ? one.value : one)),
    });
  const bodyHash = Buffer.alloc(32, 7);
  const key = { kind: 'key' as const, companyId: 900_000_001, companyName: '', id: 900_000_002, name: '' };
  const draft = {
    ...toOne(900_000_003),
    title: '$title',
    body: '$body',
    kind: 'gaji' as const,
    url: '$url',
  };
  const requestId = newRequestId();
  await sendNotification(key, draft, requestId, { idempotencyKey: '$once', bodyHash });
  driver.debug = undefined;
  // Beside the lock of the company's row, which the statement takes as well.
  const send = sent.find(({ text }) => text.includes('insert into notifications'));
  if (!send) throw new Error(`statements: ${sent.map(({ text }) => text).join(';\n')}`);
  const places = new Map<unknown, string>([
    [key.companyId, '$company'],
    [key.id, '$key'],
    [draft.recipients.employeeId, '$recipient'],
    ['gaji', '$kind'],
    [requestId, '$request'],
    [bodyHash.toString('hex'), '$hash'],
  ]);
  const asPlace = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(asPlace) : (places.get(value) ?? value);
  return { text: send.text, parameters: send.parameters.map(asPlace) };
}

async function startFloor(url: string, statement: Statement): Promise<Service> {
  const settings = { DATABASE_URL: url, PORT: String(await freePort()), STATEMENT: JSON.stringify(statement) };
  return startService({ ...settings, POOL: process.env.POOL }, ['bench/floor.ts'], /is running/);
}
