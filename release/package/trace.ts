import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { ifAbsent } from '#platform/absent-file.ts';

// Next's copy of the tracer has no types.
type Trace = (files: string[], options: object) => Promise<{ fileList: Set<string>; esmFileList: Set<string> }>;

const programs = ['server/main.js', 'server/command/notif.ts'];

// Loaded by Next in ways that no trace sees (collect-build-traces.js of Next does the same).
const nextPrograms = ['next/dist/server/next', 'next/dist/server/require-hook', 'next/dist/server/next-server'];

// Branches that a server in production does not enter: development, upgrades and tests of Next, the
// compiler. Next leaves out the same from its own traces.
const unused = [
  /\.d\.[cm]?ts$/,
  /\.map$/,
  /\/next\/dist\/compiled\/next-server\/.*\.dev\.js$/,
  /\/next\/dist\/server\/capsize-font-metrics\.json$/,
  /\/next\/dist\/compiled\/(?:babel|babel-packages|@next\/font|webpack|@mswjs\/interceptors\/ClientRequest\/llhttp)\//,
  /\/next\/dist\/server\/lib\/route-resolver/,
  /\/next\/dist\/lib\/upgrade\//,
  /\/next\/dist\/(?:pages|docs)\//,
  /\/node_modules\/(?:typescript|webpack5|@next\/swc-[^/]+|@swc\/core[^/]*)\//,
  /\/node_modules\/react(?:-dom|-dom-server-turbopack)?\/.*\.development\.js$/,
];

/** Lists the files that the built service loads, as paths below `root`. Needs a finished build. */
export async function traceService(root: string): Promise<string[]> {
  const require = createRequire(join(root, 'package.json'));
  const { defaultOverrides } = require('next/dist/server/require-hook') as { defaultOverrides: Record<string, string> };
  const entries = [
    ...programs.map((program) => join(root, program)),
    ...nextPrograms.map((name) => require.resolve(name)),
    ...Object.keys(defaultOverrides).map((name) => require.resolve(name)),
  ];
  const files = new Set([...(await trace(root, entries)), ...(await listTracedByNext(root))]);
  return [...files].filter(isUsed).sort();
}

const isUsed = (file: string) => !unused.some((pattern) => pattern.test(`/${file}`));

async function trace(root: string, entries: string[]): Promise<string[]> {
  const require = createRequire(join(root, 'package.json'));
  const { nodeFileTrace } = require('next/dist/compiled/@vercel/nft') as { nodeFileTrace: Trace };
  const { fileList, esmFileList } = await nodeFileTrace(entries, {
    base: root,
    mixedModules: true,
    moduleSyncCatchall: true,
    ts: true,
    ignore: (path: string) => !isUsed(path),
    readFile: readSource,
  });
  return [...fileList, ...esmFileList];
}

// The tracer understands JavaScript only.
async function readSource(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(ifAbsent(null));
  return text !== null && path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
}

// What each page and route loads, as the build found out.
async function listTracedByNext(root: string): Promise<string[]> {
  const build = join(root, '.next');
  const names = (await readdir(build, { recursive: true })).filter((name) => name.endsWith('.nft.json'));
  const lists = await Promise.all(
    names.map(async (name) => {
      const { files } = JSON.parse(await readFile(join(build, name), 'utf8')) as { files: string[] };
      return files.map((file) => relative(root, join(build, dirname(name), file)));
    }),
  );
  return lists.flat().filter((file) => existsSync(join(root, file)));
}
