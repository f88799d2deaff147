import { type Measured, report } from '#bench/report.ts';
import { durabilityOf, type Stage, withStage } from '#bench/stage.ts';
import { buildIfNeeded } from '#server/build.ts';

// `npm run bench` measures everything, `npm run bench:quick` less of it in 90 s; words name the measurements to take alone.

type Measurement = (stage: Stage) => Promise<Measured[]>;
const measurements: Record<string, () => Promise<Measurement>> = {
  inbox: async () => (await import('#bench/inbox.ts')).measureInbox,
  retention: async () => (await import('#bench/retention.ts')).measureRetention,
};

const words = process.argv.slice(2);
const quick = words.includes('quick');
const only = words.filter((word) => word in measurements);
const started = Date.now();

await buildIfNeeded();
await withStage(quick, async (stage) => {
  const measured: Measured[] = [];
  for (const [name, load] of Object.entries(measurements)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const measure = await load();
    process.stderr.write(`${Math.round((Date.now() - started) / 1000)} s: ${name}\n`);
    measured.push(...(await measure(stage)));
  }
  const name = only.length > 0 ? only.join('-') : quick ? 'quick' : 'latest';
  process.stdout.write(await report(name, await durabilityOf(stage.adminUrl), measured));
});
process.stderr.write(`${Math.round((Date.now() - started) / 1000)} s\n`);
