import { spawn, spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root as project } from '#e2e/support/service/service.ts';

const userId = 12_345;

/** What a program in the bare root printed, and how it ended. */
export type Ended = { code: number | null; output: string; problems: string };

/** Runs shell lines as a user in a root with little but the package, without network. Needs root. */
export async function runInBareRoot(folder: string, lines: string, files: Record<string, string>): Promise<Ended> {
  const root = await mkdtemp(join(tmpdir(), 'notif-bare-'));
  try {
    await chmod(root, 0o755);
    await fillRoot(root, folder);
    for (const [name, from] of Object.entries(files)) await copyFile(from, join(root, 'files', name));
    return await runIn(root, folder, lines);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function fillRoot(root: string, folder: string): Promise<void> {
  for (const name of ['bin', 'etc', 'proc', 'dev', 'data', 'files', 'opt/service'])
    await mkdir(join(root, name), { recursive: true });
  const programs = Object.fromEntries(['sh', 'readlink', 'dirname'].map((name) => [name, findProgram(name)]));
  for (const [name, path] of Object.entries(programs)) await copyFile(path, join(root, 'bin', name));
  const ours = spawnSync(
    'find',
    [folder, '-name', 'node', '-path', '*/bin/*', '-o', '-name', '*.node', '-o', '-name', 'postgres', '-type', 'f'],
    { encoding: 'utf8' },
  ).stdout;
  const loaded = spawnSync('ldd', [...Object.values(programs), ...ours.split('\n').filter(Boolean)], {
    encoding: 'utf8',
  });
  // Libraries of the package are not copied.
  const libraries = new Set(loaded.stdout.match(/\/\S+\.so[.\d]*/g)?.filter((path) => !path.startsWith(folder)));
  for (const path of libraries) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await copyFile(await realpath(path), join(root, path));
  }
  await writeFile(join(root, 'etc', 'passwd'), `root:x:0:0::/:/bin/sh\nnotif:x:${userId}:${userId}::/data:/bin/sh\n`);
  for (const device of ['null', 'urandom', 'zero']) await writeFile(join(root, 'dev', device), '');
}

function findProgram(name: string): string {
  return spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
}

// `$1` is the root, `$2` the package, `$3` the lines.
const enter = `set -e
ip link set lo up
mount --bind "$1" "$1"
mount --bind "$2" "$1/opt/service"
for device in null urandom zero; do mount --bind /dev/$device "$1/dev/$device"; done
mount -t proc proc "$1/proc"
mount -t tmpfs -o mode=700,uid=${userId},gid=${userId} tmpfs "$1/data"
mount -o remount,bind,ro "$1"
mount -o remount,bind,ro "$1/opt/service"
exec env -i PATH=/bin HOME=/data "$(command -v chroot)" --userspec=${userId}:${userId} "$1" /bin/sh -c "cd /data; $3"`;

function runIn(root: string, folder: string, lines: string): Promise<Ended> {
  const args = ['--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh', root, folder, lines];
  const child = spawn('unshare', args, { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, problems] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (part) => (output += part));
  child.stderr.setEncoding('utf8').on('data', (part) => (problems += part));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output, problems })));
}
