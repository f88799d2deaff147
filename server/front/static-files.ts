import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pLimit from 'p-limit';
import { log } from '#platform/log/log.ts';
import { chooseEncoding, type EncodedText, encodings } from '#platform/net/encodings.ts';
import { commonHeaders, filePolicy, transportHeaders } from '#platform/net/http-headers.ts';
import { type BuildFile, fileTypes } from '#server/front/build-files.ts';

const assetsPath = '/_next/static/';

const fileHeaders = { ...commonHeaders, 'Content-Security-Policy': filePolicy };

type Asset = { type: string; bodies: EncodedText };

/** Answers a GET or HEAD of a file of the build. Returns false for other requests. */
export type Assets = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

const endings = { br: '.br', gzip: '.gz', identity: '' };

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
    const bodies = isGzip ? { gzip: content, identity: await decompress(content) } : { identity: content };
    assets.set(name, { type, bodies });
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
    const found = encodings.filter((encoding) => present.has(name + endings[encoding]));
    const contents = await Promise.all(
      found.map(async (encoding) => [encoding, await readFile(join(folder, name + endings[encoding]))]),
    );
    assets.set(path, { type, bodies: Object.fromEntries(contents) });
  };
  // A process may be allowed few open files.
  const reading = pLimit(maxReadings);
  await Promise.all(names.map((name) => reading(() => read(name))));
  return assets;
}

function answer({ type, bodies }: Asset, { method, headers }: IncomingMessage, response: ServerResponse): void {
  const { body, headers: bodyHeaders } = chooseEncoding(bodies, headers['accept-encoding']);
  response.writeHead(200, {
    'Content-Type': type,
    ...bodyHeaders,
    Vary: 'Accept-Encoding',
    'Cache-Control': 'public, max-age=31536000, immutable',
    ...fileHeaders,
    ...transportHeaders(),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
