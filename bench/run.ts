import { parseArgs } from 'node:util';
import { type Measured, report } from '#bench/report.ts';
import { durabilityOf, type Stage, withStage } from '#harness/stage.ts';
import { buildIfNeeded } from '#server/runtime/build.ts';

// `npm run bench` measures everything, `npm run bench:quick` less of it in 90 s; words name the measurements to take alone. `--target URL
// --keys FILE` takes P1 and P2 of any server instead; the file has a line "key employee" for each caller.

type Measurement = (stage: Stage) => Promise<Measured[]>;
const measurements: Record<string, () => Promise<Measurement>> = {
  http: async () => (await import('#bench/http.ts')).measureHttp,
  broadcast: async () => (await import('#bench/broadcast.ts')).measureBroadcast,
  start: async () => (await import('#bench/start.ts')).measureStart,
  ring: async () => (await import('#bench/ring.ts')).measureRing,
  portals: async () => (await import('#bench/portals.ts')).measurePortals,
  processes: async () => (await import('#bench/processes.ts')).measureProcesses,
  pages: async () => (await import('#bench/pages.ts')).measurePages,
  inbox: async () => (await import('#bench/inbox.ts')).measureInbox,
  retention: async () => (await import('#bench/retention.ts')).measureRetention,
};

// What takes minutes even with small data, or says nothing with it.
const notQuick = new Set(['ring', 'processes', 'pages', 'retention']);

const options = { target: { type: 'string' }, keys: { type: 'string' } } as const;
const { values: given, positionals: words } = parseArgs({ options, allowPositionals: true });
const quick = words.includes('quick');
const only = words.filter((word) => word in measurements);
const started = Date.now();
const secondsSince = (then: number) => Math.round((Date.now() - then) / 1000);

if (given.target && given.keys) {
  const { measureTarget } = await import('#bench/http.ts');
  process.stdout.write(await report('target', {}, await measureTarget(given.target, given.keys)));
  process.exit();
}

await buildIfNeeded();
await withStage(quick, async (stage) => {
  const measured: Measured[] = [];
  const durability = await durabilityOf(stage.adminUrl);
  const name = only.length > 0 ? only.join('-') : quick ? 'quick' : 'latest';
  let table = '';
  for (const [subject, load] of Object.entries(measurements)) {
    if (only.length > 0 ? !only.includes(subject) : quick && notQuick.has(subject)) continue;
    process.stderr.write(`${secondsSince(started)} s: ${subject}\n`);
    // One that fails does not take the others' figures along.
    try {
      const measure = await load();
      measured.push(...(await measure(stage)));
    } catch (error) {
      process.exitCode = 1;
      console.error(error);
    }
    table = await report(name, durability, measured);
  }
  process.stdout.write(table);
});
process.stderr.write(`${secondsSince(started)} s\n`);
