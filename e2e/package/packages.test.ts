import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
