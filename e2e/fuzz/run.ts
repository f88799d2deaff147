import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { type Made, makeRequest } from '#e2e/fuzz/requests.ts';
import { findFault } from '#e2e/fuzz/verdict.ts';
import { enterDatabase } from '#e2e/support/data/callers.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { createRandom } from '#e2e/support/data/random.ts';
import { askRaw, type RawAnswer } from '#e2e/support/http/raw.ts';
import { megabytesOf } from '#e2e/support/service/processes.ts';
import { withStage } from '#e2e/support/service/stage.ts';
import { failures } from '#server/api/failures.ts';

// Sends random requests from a seed to the interface. Every response must keep the contract, only sends answered
// with 200 are stored, and the process neither restarts nor grows.

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    connections: { type: 'string', default: '32' },
  },
});
const maxRequests = values.seconds ? Number.POSITIVE_INFINITY : Number(values.requests);
const seed = Number(values.seed);

const seen = {
  ...{ statuses: new Map<number, number>(), codes: new Map<string, number>(), wrong: [] as string[] },
  ...{ sends: 0, reached: 0, asked: 0 },
};
// A short run ends before the process has reached its size.
const slackMegabytes = 300;
const maxWrong = 20;
const add = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);

async function note(made: Made, came: RawAnswer): Promise<void> {
  seen.asked++;
  add(seen.statuses, came.status);
  const fault = await findFault(came, made).catch(String);
  if (fault && seen.wrong.length < maxWrong)
    seen.wrong.push(`${fault}\n  asked: ${excerpt(made.bytes)}\n  came: ${came.status} ${came.body.slice(0, 300)}`);
  if (came.status === 200 && made.isSend && came.headers.get('idempotent-replayed') !== 'true') {
    seen.sends++;
    seen.reached += (JSON.parse(came.body) as { terkirim: number }).terkirim;
  }
  if (came.status >= 400 && made.method !== 'HEAD' && !fault)
    add(seen.codes, (JSON.parse(came.body) as { code: string }).code);
}

const excerpt = (bytes: Buffer) =>
  JSON.stringify(
    bytes
      .toString('latin1')
      .replace(/jss_\w+/g, 'jss_…')
      .slice(0, 1000),
  );

const resetLimits = (admin: postgres.Sql) => admin`
  delete from key_usage where (company_id, key_id) in (
    select company_id, key_id from key_usage where key_id % 5 <> 0 for update skip locked)`;

await withStage(true, async (stage) => {
  const { url, adminUrl } = await stage.createDatabase();
  await enterDatabase(url);
  const companies = await Promise.all(Array.from({ length: 4 }, () => makeCompany()));
  for (const company of companies) for (let one = 0; one < 5; one++) await company.hire();
  const keys = (await Promise.all(companies.map((company) => company.newKeys(25)))).flat();
  const service = await stage.startFront(url, { LOG_LEVEL: 'error' });
  process.env.SERVICE_URL = service.url;
  const pid = service.process.pid ?? 0;
  const admin = postgres(adminUrl, { max: 1 });
  // The rate limit of most keys is reset often. Otherwise most responses would be 429.
  // It skips locked rows: the service locks those of many keys in their order, and would deadlock.
  const renewing = setInterval(() => void resetLimits(admin).catch(() => {}), 150);
  const started = performance.now();
  let until = values.seconds ? started + Number(values.seconds) * 1000 : Number.POSITIVE_INFINITY;
  const memory: number[] = [];
  // Ctrl-C ends a run early, with the figures it has.
  process.once('SIGINT', () => (until = 0));
  const drive = async (index: number) => {
    const chance = createRandom(seed * 1000 + index);
    while (seen.asked < maxRequests && performance.now() < until && seen.wrong.length < maxWrong) {
      const made = makeRequest(keys, chance);
      await note(made, await askRaw(service.url, made.bytes));
      if (seen.asked % 2000 === 0) memory.push(Math.round(megabytesOf(pid)));
    }
  };
  await Promise.all(Array.from({ length: Number(values.connections) }, (_, index) => drive(index)));
  clearInterval(renewing);
  const seconds = (performance.now() - started) / 1000;
  await admin`delete from key_usage`;
  const alive = await fetch(`${service.url}/api/v1/notif.php?aksi=ping`, { headers: { 'X-API-Key': keys[0] ?? '' } });
  if (alive.status !== 200 || service.process.exitCode !== null)
    seen.wrong.push(`afterwards a ping is ${alive.status}`);
  const [stored] = await admin<{ sends: number; reached: number; audited: number }[]>`
    select count(*)::int as sends, coalesce(sum(reach), 0)::int as reached,
      (select count(*)::int from audit_log where action = 'notification.send') as audited from notifications`;
  if (stored?.sends !== seen.sends || stored.reached !== seen.reached || stored.audited !== seen.sends)
    seen.wrong.push(`stored ${JSON.stringify(stored)}, answered ${seen.sends} sends to ${seen.reached}`);
  // The second quarter of the run, when the process has reached its size, and the last one.
  const quarter = Math.ceil(memory.length / 4);
  const [early, late] = [memory.slice(quarter, 2 * quarter), memory.slice(-quarter)].map((part) => Math.max(...part));
  if ((late ?? 0) > 1.1 * (early ?? 0) + slackMegabytes) seen.wrong.push(`memory grew from ${early} to ${late} MB`);
  await admin.end();
  report(seconds, memory);
});

function report(seconds: number, memory: number[]): void {
  const line = (counts: Map<number | string, number>) =>
    [...counts]
      .sort(([, one], [, other]) => other - one)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const unreached = Object.keys(failures).filter(
    (code) => !seen.codes.has(code) && failures[code as keyof typeof failures].status !== 503,
  );
  process.stdout.write(`${seen.asked} requests in ${seconds.toFixed()} s, seed ${seed}\n`);
  process.stdout.write(
    `statuses: ${line(seen.statuses)}\ncodes: ${line(seen.codes)}\nnever seen: ${unreached.join(', ') || 'none'}\n`,
  );
  process.stdout.write(`${seen.sends} sends reached ${seen.reached}; all of them stored and audited, nothing else\n`);
  process.stdout.write(`memory: ${memory.join(', ')} MB\n`);
  for (const wrong of seen.wrong) process.stdout.write(`\nwrong: ${wrong}\n`);
  process.exitCode = seen.wrong.length === 0 ? 0 : 1;
}
