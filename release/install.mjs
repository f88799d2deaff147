// Runs before `npm start` and `npm test` (`prestart`, `pretest` in package.json), on any Node from version 20
// on. It installs the packages of the lock file that are missing; with `--with-tests` those of the tests too.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const withTests = process.argv.includes('--with-tests');

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
  !optional &&
  (withTests || !dev) &&
  installed[place]?.version !== version;

if (Object.entries(readPackages('package-lock.json')).some(isMissing)) {
  const size = withTests ? 'two minutes, 920 MB' : 'one minute, 570 MB';
  console.log(`Installs packages once: ${size}.`);
  const omitted = withTests ? [] : ['--omit=dev', '--workspaces=false'];
  // Without npm's warnings: they are about npm's own Node, and the packages run on the one that comes with them.
  const { status } = spawnSync(['npm ci --no-fund --loglevel=error', ...omitted].join(' '), {
    stdio: 'inherit',
    shell: true,
  });
  process.exitCode = status ?? 1;
}
