// `node release/run.mjs [--with-tests] PROGRAM [ARGUMENT …]` runs a file of this project or a program of a package,
// on any Node that `engines` names. It first installs the packages of the lock file that are missing; with
// `--with-tests` those of the tests too. The program runs on the Node that npm has installed with them (decision
// 0120), or on the machine's where npm has none.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNodeEnough, nodeSentence } from '../platform/config/node-version.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = join(root, 'node_modules');
const withTests = process.argv[2] === '--with-tests';
const [program = '', ...args] = process.argv.slice(withTests ? 3 : 2);

function end(sentence) {
  console.error(sentence);
  process.exit(1);
}

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));

// By its path: some versions of npm make no link to it in node_modules/.bin.
const isWindows = process.platform === 'win32';
const nodeFolder = join(packages, `node-${isWindows ? 'win' : process.platform}-${process.arch}`, 'bin');
const ownNode = join(nodeFolder, isWindows ? 'node.exe' : 'node');

// npm writes this list last of all, so an install that was cut off has none, or a part.
function listInstalled() {
  try {
    return readJson('node_modules', '.package-lock.json').packages;
  } catch {
    return {};
  }
}

/** Whether a package of the lock file is missing, by what npm has installed. */
function isIncomplete() {
  // Before version 1.3 an install removed files, and npm does not notice that they are missing.
  if (!existsSync(join(packages, 'next', 'dist', 'docs'))) return true;
  if (!isNodeEnough && !existsSync(ownNode)) return true;
  const installed = listInstalled();
  return Object.entries(readJson('package-lock.json').packages).some(
    ([place, { version, dev, optional, link }]) =>
      place.startsWith('node_modules/') &&
      !link &&
      !(optional && !installed[place]) &&
      (withTests || !dev) &&
      installed[place]?.version !== version,
  );
}

if (isIncomplete()) {
  // The program may print for another one.
  console.error(`Installs packages once: ${withTests ? 'two minutes, 1.2 GB' : 'one minute, 810 MB'}.`);
  const omitted = withTests ? '' : ' --omit=dev --workspaces=false';
  // Without npm's warnings: some packages of the tests ask for a newer Node, and run on the one that comes with them.
  const { status } = spawnSync(`npm ci --no-fund --loglevel=error${omitted}`, {
    cwd: root,
    stdio: ['inherit', 2, 2],
    shell: true,
    env: { ...process.env, npm_config_strict_allow_scripts: 'true' },
  });
  if (status !== 0) process.exit(status ?? 1);
}
const hasNode = existsSync(ownNode);
if (!hasNode && !isNodeEnough) end(nodeSentence);

const command = hasNode ? ownNode : process.execPath;
const env = hasNode ? { ...process.env, PATH: `${nodeFolder}${delimiter}${process.env.PATH}` } : process.env;
const isFile = /[\\/]/.test(program);
const { bin } = isFile ? {} : readJson('node_modules', program, 'package.json');
const file = isFile ? resolve(root, program) : join(packages, program, typeof bin === 'string' ? bin : bin[program]);

// Newer versions of Node can become another program. Elsewhere this process passes signals on, and waits.
if (process.execve && !isWindows) process.execve(command, [command, file, ...args], env);
const child = spawn(command, [file, ...args], { stdio: 'inherit', env });
const parent = process.ppid;
// npm's shell dies of a signal and does not pass it on.
setInterval(() => process.ppid !== parent && child.kill(), 250).unref();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('error', ({ message }) => end(`The Node that npm has installed does not run here: ${message}`));
child.once('exit', (code) => process.exit(code ?? 1));
