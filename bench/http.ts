import { readFile } from 'node:fs/promises';
import type { Statements } from '#bench/floor.ts';
import { type Operation, runLoad } from '#bench/load.ts';
import type { Measured } from '#bench/report.ts';
import { sql, sqlForSends } from '#db/client.ts';
import type { Caller } from '#harness/callers.ts';
import { enterDatabase, makeCallers } from '#harness/callers.ts';
import { freePort, type Service, startService } from '#harness/service.ts';
import type { Stage } from '#harness/stage.ts';
import { percentile, summarise } from '#harness/statistics.ts';
import { authenticateAndCountKey } from '#server/keys/keys.ts';
import { newRequestId } from '#server/request-id.ts';
import { sendNotification } from '#server/sends/send.ts';

const connections = 24;
const operations: Operation[] = ['ping', 'send'];
const titles = { ping: 'ping', send: 'send to one, idempotent, audited' };
const goalIds = { ping: 'P1', send: 'P2' };

type Runner = { name: string; url: string; pid: number };
type Round = { perSecond: number; cpuMs: number; p99: number };

/**
 * P1 and P2: pings and sends per second, compared with the floor on the same database and with
 * plain `next start`. They take turns in each round, in random order; a ratio is computed per
 * round.
 */
export async function measureHttp(stage: Stage): Promise<Measured[]> {
  const { url } = await stage.createDatabase();
  const callers = await makeCallers(url, { companies: stage.quick ? 100 : 300, employees: 1, keys: 50 });
  const statements = await recordStatements(url);
  const floor = await startFloor(url, statements);
  const runners = [
    asRunner('front', await stage.startFront(url)),
    asRunner('floor', floor),
    ...(stage.quick ? [] : [asRunner('next start', await stage.startNext(url))]),
  ];
  try {
    return await compare(runners, callers, stage.quick);
  } catch (error) {
    throw new Error(`the floor said: ${floor.output()}`, { cause: error });
  } finally {
    await floor.stop();
  }
}

/** P1 and P2 of the server at `target`. `file` has a line "key employee-id" per caller. */
export async function measureTarget(target: string, file: string): Promise<Measured[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const callers = lines.map((line) => {
    const [key = '', userId = '1'] = line.trim().split(/\s+/);
    return { key, userId: Number(userId) };
  });
  return compare([{ name: target, url: target, pid: 0 }], callers, true);
}

const asRunner = (name: string, { url, process }: Service): Runner => ({ name, url, pid: process.pid ?? 0 });

async function compare(runners: Runner[], callers: Caller[], quick: boolean): Promise<Measured[]> {
  const { rounds, seconds } = quick ? { rounds: 4, seconds: 1 } : { rounds: 7, seconds: 3 };
  const measured: Measured[] = [];
  let next = 0;
  for (const operation of operations) {
    const found = new Map<string, Round[]>(runners.map(({ name }) => [name, []]));
    for (let round = -1; round < rounds; round++)
      for (const runner of shuffle(runners)) {
        const { round: one, next: after } = await measureRound(runner, operation, callers, next, seconds);
        next = after;
        // The first round is a warm-up.
        if (round >= 0) found.get(runner.name)?.push(one);
      }
    measured.push(...describe(operation, found));
  }
  return measured;
}

async function measureRound(
  { url, pid }: Runner,
  operation: Operation,
  callers: Caller[],
  from: number,
  seconds: number,
): Promise<{ round: Round; next: number }> {
  const before = await cpuMsOf(pid);
  const load = { url, operation, callers, connections, seconds, from };
  const { count, seconds: took, next, latencies } = await runLoad(load);
  const cpuMs = ((await cpuMsOf(pid)) - before) / count;
  return { round: { perSecond: count / took, cpuMs, p99: percentile(latencies, 0.99) }, next };
}

function describe(operation: Operation, found: Map<string, Round[]>): Measured[] {
  const what = titles[operation];
  const floor = found.get('floor');
  return [...found].flatMap(([name, rounds]) => {
    const perSecond = summarise(rounds.map((round) => round.perSecond));
    const cpu = summarise(rounds.map(({ cpuMs }) => cpuMs));
    const note = `p99 ${summarise(rounds.map(({ p99 }) => p99)).value.toFixed(1)} ms; ${cpu.value.toFixed(3)} ms of the server’s CPU each`;
    const id = goalIds[operation];
    const rate: Measured = { id, what: `${what}, ${name}`, unit: 'requests/s', goal: null, ...perSecond, note };
    if (name === 'floor' || !floor) return [rate];
    const ratios = rounds.map((round, at) => round.perSecond / (floor[at]?.perSecond ?? Number.NaN));
    const goal = name === 'front' ? { atLeast: 0.7 } : null;
    return [{ id, what: `${what}, ${name} ÷ floor`, unit: '', goal, ...summarise(ratios) }, rate];
  });
}

// Linux counts in ticks of 10 ms (proc(5)).
async function cpuMsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0));
}

function shuffle<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/**
 * Records the service's SQL: runs its functions once for a company that does not exist. Unique
 * values mark which parameters belong to a request.
 */
async function recordStatements(url: string): Promise<Statements> {
  await enterDatabase(url);
  const sent: { text: string; parameters: unknown[] }[] = [];
  const drivers = [sql(), sqlForSends()].map(({ options }) => options as { debug: unknown });
  // Makes the driver send its own first query, which must not be recorded.
  await Promise.all([sql()`select 1`, sqlForSends()`select 1`]);
  for (const driver of drivers)
    driver.debug = (_: number, text: string, parameters: { value?: unknown }[]) =>
      sent.push({
        text,
        parameters: parameters.map((one) => (one && typeof one === 'object' && 'value' in one ? one.value : one)),
      });
  const bodyHash = Buffer.alloc(32, 7);
  await authenticateAndCountKey(bodyHash);
  const key = { kind: 'key' as const, companyId: 900_000_001, companyName: '', id: 900_000_002, name: '' };
  const draft = { recipientId: 900_000_003, title: '$title', body: '$body', kind: 'gaji' as const, url: '$url' };
  const requestId = newRequestId();
  await sendNotification(key, draft, requestId, { idempotencyKey: '$once', bodyHash });
  for (const driver of drivers) driver.debug = undefined;
  const [look, send] = sent;
  if (!look || !send || sent.length !== 2) throw new Error(`statements: ${sent.map(({ text }) => text).join(';\n')}`);
  const places = new Map<unknown, string>([
    [key.companyId, '$company'],
    [key.id, '$key'],
    [draft.recipientId, '$recipient'],
    ['gaji', '$kind'],
    [requestId, '$request'],
    [bodyHash, '$hash'],
  ]);
  return { key: look.text, send: send.text, sendParameters: send.parameters.map((one) => places.get(one) ?? one) };
}

async function startFloor(url: string, statements: Statements): Promise<Service> {
  const settings = { DATABASE_URL: url, PORT: String(await freePort()), STATEMENTS: JSON.stringify(statements) };
  return startService({ ...settings, POOL: process.env.POOL }, ['bench/floor.ts'], /is running/);
}
