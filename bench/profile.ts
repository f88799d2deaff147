import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operation, runLoad } from '#bench/load.ts';
import { makeCallers } from '#harness/callers.ts';
import { freePort, root, startService } from '#harness/service.ts';
import { withStage } from '#harness/stage.ts';
import { buildIfNeeded } from '#server/runtime/build.ts';

// `npm run bench:profile -- ping` (or send) says where the front's time goes under load: the functions with the most time of their own, and
// the packages. Shares are of the time in which the process did anything.

type Node = { id: number; callFrame: { functionName: string; url: string; lineNumber: number } };
type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[]; startTime: number };

const operation: Operation = process.argv[2] === 'send' ? 'send' : 'ping';
const seconds = 10;

function describe({ functionName, url, lineNumber }: Node['callFrame']): { place: string; part: string } {
  const file = url.replace(/^file:\/\//, '').replace(`${root}/`, '');
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
  const part = functionName.startsWith('(')
    ? functionName
    : (name ?? (file === '' ? 'native code' : (/^(?:node:|server|db)/.exec(file)?.[0] ?? file)));
  return { place: `${functionName || 'anonymous'} ${file.replace(/^.*node_modules\//, '')}:${lineNumber + 1}`, part };
}

// Both clocks are the machine's monotonic one, in microseconds.
const nowUs = () => Number(process.hrtime.bigint() / 1000n);
let loadFrom = 0;
let loadUntil = 0;

function print({ nodes, samples, timeDeltas, startTime }: Profile): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, describe(callFrame)]));
  const places = new Map<string, number>();
  const parts = new Map<string, number>();
  let busy = 0;
  let time = startTime;
  for (const [at, id] of samples.entries()) {
    const frame = frames.get(id);
    const took = timeDeltas[at] ?? 0;
    time += took;
    if (time < loadFrom || time > loadUntil) continue;
    if (!frame || frame.part === '(idle)' || frame.part === '(root)') continue;
    busy += took;
    places.set(frame.place, (places.get(frame.place) ?? 0) + took);
    parts.set(frame.part, (parts.get(frame.part) ?? 0) + took);
  }
  for (const [title, found, most] of [
    ['functions', places, 25],
    ['parts', parts, 12],
  ] as const) {
    process.stdout.write(`\n${title}\n`);
    const first = [...found].sort((a, b) => b[1] - a[1]).slice(0, most);
    for (const [what, took] of first)
      process.stdout.write(`${((100 * took) / busy).toFixed(1).padStart(5)} %  ${what}\n`);
  }
}

await buildIfNeeded();
const folder = await mkdtemp(join(tmpdir(), 'notif-profile-'));
await withStage(true, async (stage) => {
  const { url } = await stage.createDatabase();
  const callers = await makeCallers(url, { companies: 200, employees: 1, keys: 50 });
  const port = String(await freePort());
  const args = ['--cpu-prof', `--cpu-prof-dir=${folder}`, 'server/main.ts'];
  const service = await startService(
    { ...stage.settingsOf(url), PORT: port, APP_URL: `http://127.0.0.1:${port}` },
    args,
  );
  loadFrom = nowUs();
  const { count } = await runLoad({ url: service.url, operation, callers, connections: 24, seconds, from: 0 });
  loadUntil = nowUs();
  await service.stop();
  process.stdout.write(`${operation}: ${Math.round(count / seconds)} requests/s with the profiler on\n`);
});
for (const file of await readdir(folder)) print(JSON.parse(await readFile(join(folder, file), 'utf8')) as Profile);
await rm(folder, { recursive: true, force: true });
