import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterEach, expect, test, vi } from 'vitest';
import { startCluster } from '#db/embedded/embedded.ts';

afterEach(() => vi.unstubAllEnvs());

// Programs in the place of initdb and PostgreSQL. This initdb writes down what it sees and fails.
const fakeInitdb = `#!/bin/sh
[ "$1" = --version ] && echo 'initdb (PostgreSQL) 18.0' && exit 0
for argument; do
  case $argument in --pwfile=*) file=\${argument#--pwfile=} ;; esac
done
out=$(dirname "$0")/../seen
echo "$(stat -c '%a %u' "$file") $(id -u) $(wc -c < "$file")" > "$out"
exit 1
`;

async function makePrograms(folder: string): Promise<{ initdb: string; postgres: string }> {
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'bin'));
  const script = async (name: string, text: string) => {
    const path = join(folder, 'bin', name);
    await writeFile(path, text);
    await chmod(path, 0o755);
    return path;
  };
  await writeFile(join(folder, 'seen'), '');
  await chmod(join(folder, 'seen'), 0o666);
  await script('unshare', '#!/bin/sh\nexit 1\n');
  return { initdb: await script('initdb', fakeInitdb), postgres: await script('postgres', '#!/bin/sh\nexit 0\n') };
}

const isRoot = process.getuid?.() === 0;

test.each([
  ['in a user namespace or as an ordinary user', false],
  ['by root where user namespaces are not allowed', true],
])('only its reader may read the password for initdb: %s', async (_, withoutNamespaces) => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-initdb-'));
  const binaries = await makePrograms(folder);
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { mode: 0o755 });
  await writeFile(join(dataDir, 'initdb-password'), 'left behind', { mode: 0o644 });
  if (withoutNamespaces) vi.stubEnv('PATH', `${join(folder, 'bin')}:/usr/bin:/bin`);
  await expect(startCluster(dataDir, { binaries })).rejects.toThrow('initdb ended with 1');
  const [mode, owner, reader, length] = (await readFile(join(folder, 'seen'), 'utf8')).trim().split(' ');
  expect([mode, length]).toEqual(['600', '48']);
  expect(['0', reader]).toContain(owner);
  if (isRoot && withoutNamespaces) expect(reader).not.toBe('0');
  await expect(stat(join(dataDir, 'initdb-password'))).rejects.toThrow('ENOENT');
  await rm(folder, { recursive: true });
});

test.skipIf(!isRoot)('root’s database stays in its closed folder, with and without namespaces', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-root-'));
  await writeFile(join(folder, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const start = async (hasNamespaces: boolean, statement: string) => {
    if (hasNamespaces) vi.unstubAllEnvs();
    else vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`);
    const { adminUrl, stop } = await startCluster(join(folder, 'data'));
    const sql = postgres(adminUrl, { max: 1 });
    const rows = await sql.unsafe(statement).finally(() => sql.end());
    await stop();
    const { uid } = await stat(join(folder, 'data', 'postgres', 'PG_VERSION'));
    return { isOfRoot: uid === 0, rows: rows.length };
  };
  await start(false, 'create table kept as select 1');
  expect(await start(true, 'select * from kept')).toEqual({ isOfRoot: true, rows: 1 });
  expect(await start(false, 'select * from kept')).toEqual({ isOfRoot: false, rows: 1 });
  await rm(folder, { recursive: true });
});

test.skipIf(!isRoot)('where nothing takes root’s rights away, one sentence says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-root-'));
  vi.stubEnv('PATH', folder);
  await expect(startCluster(join(folder, 'data'))).rejects.toThrow(/^PostgreSQL does not run as root, .*\.$/);
  await rm(folder, { recursive: true });
});

test('a cluster that cannot be looked at is not created again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-closed-'));
  await writeFile(join(folder, 'postgres'), '');
  await expect(startCluster(folder)).rejects.toThrow('ENOTDIR');
  expect(await readFile(join(folder, 'postgres'), 'utf8')).toBe('');
  await rm(folder, { recursive: true });
});
