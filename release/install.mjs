// Runs before `npm start`, `npm run build` and `npm test` (package.json), on any Node that `engines` names. It
// installs the packages of the lock file that are missing; with `--with-tests` those of the tests too.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const withTests = process.argv.includes('--with-tests');

// The first versions that refuse a request of more than 1,000 headers; those before drop the rest unseen. Where npm's
// Node is older or of another line, `release/node` brings one.
const { node } = process.versions;
const first = { 22: '22.23.2', 24: '24.18.1' }[node.split('.', 1)[0]];
const isNodeEnough = first !== undefined && node.localeCompare(first, 'en', { numeric: true }) >= 0;
const hasNode = () => isNodeEnough || existsSync('node_modules/.bin/node');

/** The packages of a lock file by their folders, or none where the file is missing. */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return {};
  }
}

// npm writes this list last of all, so an install that was cut off has none.
const installed = readPackages('node_modules/.package-lock.json');
const isMissing = ([place, { version, dev, optional, link }]) =>
  place.startsWith('node_modules/') &&
  !link &&
  !(optional && !installed[place]) &&
  (withTests || !dev) &&
  installed[place]?.version !== version;

if (!hasNode() || Object.entries(readPackages('package-lock.json')).some(isMissing)) {
  const size = withTests ? 'two minutes, 920 MB' : `one minute, ${isNodeEnough ? 290 : 410} MB`;
  console.log(`Installs packages once: ${size}.`);
  const workspaces = isNodeEnough ? '--workspaces=false' : '--workspace=packaged-node --include-workspace-root';
  const omitted = withTests ? [] : ['--omit=dev', workspaces];
  // Without npm's warnings: some packages of the tests ask for a newer Node, and run on the one that comes with them.
  const { status } = spawnSync(['npm ci --no-fund --loglevel=error', ...omitted].join(' '), {
    stdio: 'inherit',
    shell: true,
  });
  process.exitCode = status ?? 1;
  if (status === 0 && !hasNode()) {
    console.error('There is no Node for this system to install. Install Node 24.18.1 or newer.');
    process.exitCode = 1;
  }
}
