// `npm run bench` writes docs/benchmarks.md, which says what the arguments are.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Choice } from '#bench/before.ts';
import { describeEnvironment, type Measured, writeReport } from '#bench/report.ts';
import { root } from '#e2e/support/service/service.ts';
import { durabilityOf, type Stage, withStage } from '#e2e/support/service/stage.ts';
import { buildIfNeeded } from '#server/runtime/build-pages.ts';

type Measurement = (stage: Stage, choice: Choice) => Promise<Measured[]>;
const measurements: Record<string, () => Promise<Measurement>> = {
  http: async () => (await import('#bench/http.ts')).measureHttp,
  before: async () => (await import('#bench/before.ts')).measureBefore,
  start: async () => (await import('#bench/start.ts')).measureStart,
  portals: async () => (await import('#bench/portals.ts')).measurePortals,
  pages: async () => (await import('#bench/pages.ts')).measurePages,
  inbox: async () => (await import('#bench/inbox.ts')).measureInbox,
};

// These take minutes even with little data, or mean nothing with it.
const notQuick = new Set(['before', 'pages']);

const text = { type: 'string' } as const;
const options = { rows: text, rounds: text, before: text };
const { values: given, positionals: words } = parseArgs({ options, allowPositionals: true });
const isQuick = words.includes('quick');
const selected = words.filter((word) => word in measurements);
const rounds = given.rounds ? Number(given.rounds) : undefined;
const choice: Choice = { rows: given.rows?.split(','), rounds, before: given.before };
const startedAt = Date.now();
const secondsSinceStart = () => Math.round((Date.now() - startedAt) / 1000);

await buildIfNeeded();
await withStage(isQuick, async (stage) => {
  const measured: Measured[] = [];
  const environment = describeEnvironment(await durabilityOf(stage.adminUrl));
  const name = selected.length > 0 ? selected.join('-') : isQuick ? 'quick' : 'latest';
  let text = '';
  for (const [subject, load] of Object.entries(measurements)) {
    if (selected.length > 0 ? !selected.includes(subject) : isQuick && notQuick.has(subject)) continue;
    if (subject === 'before' && selected.length === 0 && !choice.before) continue;
    process.stderr.write(`${secondsSinceStart()} s: ${subject}\n`);
    // A measurement that fails must not lose the results of the others.
    try {
      const measure = await load();
      measured.push(...(await measure(stage, choice)));
    } catch (error) {
      process.exitCode = 1;
      console.error(error);
    }
    text = await writeReport(name, environment, measured);
  }
  process.stdout.write(text);
  if (name === 'latest' && !process.exitCode) await writeFile(join(root, 'docs', 'benchmarks.md'), text);
});
process.stderr.write(`${secondsSinceStart()} s\n`);
