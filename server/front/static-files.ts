import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import Negotiator from 'negotiator';
import pLimit from 'p-limit';
import { log } from '#platform/log/log.ts';
import { commonHeaders, filePolicy, transportHeaders } from '#platform/net/http-headers.ts';
import { type BuildFile, fileTypes } from '#server/front/build-files.ts';

const assetsPath = '/_next/static/';

const fileHeaders = { ...commonHeaders, 'Content-Security-Policy': filePolicy };

type Encoding = 'br' | 'gzip' | 'identity';
type Asset = { type: string; bodies: Map<Encoding, Buffer> };

/** Answers a GET or HEAD of a file of the build. Returns false for other requests. */
export type Assets = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

// In the order of preference: the smallest first.
const encodings: [Encoding, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
  ['identity', ''],
];

const rescanMs = 1000;
// Each opens up to three files.
const maxReadings = 10;

const decompress = promisify(gunzip);

/**
 * Reads the scripts, style sheets and pictures of the build, with compressed copies, into memory (a
 * few megabytes). So a later build cannot remove them. Their names depend on their contents, so
 * browsers may cache them for ever. For an unknown name it asks `findOthers` for the files of other
 * builds, at most once a second. Other files are left to Next.
 */
export async function openAssets(folder: string, findOthers = async (): Promise<BuildFile[]> => []): Promise<Assets> {
  const assets = await readAssets(folder);
  let scannedAt = performance.now();
  let scan: Promise<void> | undefined;
  let reading = Promise.resolve();
  const read = async () => addAssets(await findOthers(), assets);
  // A request waits for the running scan, which may add its file, and then for a scan that begins
  // after the request.
  const scanAfter = async () => {
    await reading;
    await sleep(Math.max(0, scannedAt + rescanMs - performance.now()));
    scan = undefined;
    scannedAt = performance.now();
    reading = read().catch((error: unknown) =>
      log().warn({ err: error }, 'the files of other versions could not be read'),
    );
    await reading;
  };
  const rescan = () => {
    scan ??= scanAfter();
    return scan;
  };
  return async (request, response) => {
    const name = request.url?.split('?', 1)[0] ?? '';
    if (!name.startsWith(assetsPath) || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    if (!assets.has(name) && fileTypes[extname(name)]) await rescan();
    const asset = assets.get(name);
    if (asset) answer(asset, request, response);
    return asset !== undefined;
  };
}

async function addAssets(files: BuildFile[], assets: Map<string, Asset>): Promise<void> {
  for (const { path, isGzip, content } of files) {
    const [name, type] = [assetsPath + path, fileTypes[extname(path)]];
    if (!type || assets.has(name)) continue;
    const bodies: [Encoding, Buffer][] = isGzip
      ? [
          ['gzip', content],
          ['identity', await decompress(content)],
        ]
      : [['identity', content]];
    assets.set(name, { type, bodies: new Map(bodies) });
  }
}

async function readAssets(folder: string): Promise<Map<string, Asset>> {
  const assets = new Map<string, Asset>();
  const names = await readdir(folder, { recursive: true });
  const present = new Set(names);
  const read = async (name: string) => {
    const type = fileTypes[extname(name)];
    const path = assetsPath + name.replaceAll('\\', '/');
    if (!type) return;
    const found = encodings.filter(([, ending]) => present.has(name + ending));
    const contents = await Promise.all(found.map(([, ending]) => readFile(join(folder, name + ending))));
    assets.set(path, { type, bodies: new Map(found.map(([encoding], at) => [encoding, contents[at] as Buffer])) });
  };
  // A process may be allowed few open files.
  const reading = pLimit(maxReadings);
  await Promise.all(names.map((name) => reading(() => read(name))));
  return assets;
}

// RFC 9110 §12.5.3: when no accepted encoding exists, the plain file is sent.
function answer({ type, bodies }: Asset, request: IncomingMessage, response: ServerResponse): void {
  const accepted = new Negotiator(request).encodings([...bodies.keys()]);
  const encoding = encodings.find(([name]) => accepted.includes(name))?.[0] ?? 'identity';
  const body = bodies.get(encoding) ?? Buffer.alloc(0);
  response.writeHead(200, {
    'Content-Type': type,
    'Content-Length': body.length,
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    Vary: 'Accept-Encoding',
    'Cache-Control': 'public, max-age=31536000, immutable',
    ...fileHeaders,
    ...transportHeaders(),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
