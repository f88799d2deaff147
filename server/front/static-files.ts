import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import Negotiator from 'negotiator';
import { commonHeaders, filePolicy, transportHeaders } from '#server/http-headers.ts';

/** Where browsers find what the build made: scripts, style sheets and the like. */
export const assetsPath = '/_next/static/';

const fileHeaders = { ...commonHeaders, 'Content-Security-Policy': filePolicy };

type Encoding = 'br' | 'gzip' | 'identity';
type Asset = { type: string; bodies: Map<Encoding, Buffer> };

/** Answers for one of the build's files; false when there is none of that name or the method is another. */
export type Assets = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};
// The smallest first.
const encodings: [Encoding, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
  ['identity', ''],
];

const lookAgainMs = 1000;

/**
 * Reads the build's scripts and style sheets, with what was compressed beside them, into memory: some megabytes, which no later build can
 * take away. Names follow from contents, so browsers may keep them for good. A name that is not there is looked for in the folder again,
 * once a second at most: beside this process there may be newer ones, whose pages ask here for what a later build made. Other files are
 * left to whoever answers the rest.
 */
export async function openAssets(folder: string): Promise<Assets> {
  const assets = new Map<string, Asset>();
  await readAssets(folder, assets);
  let lookedAt = performance.now();
  let looking: Promise<void> | undefined;
  const lookAgain = () => {
    if (performance.now() - lookedAt > lookAgainMs) {
      lookedAt = performance.now();
      looking = readAssets(folder, assets).catch(() => {});
    }
    return looking;
  };
  return async (request, response) => {
    const name = request.url?.split('?', 1)[0] ?? '';
    if (!name.startsWith(assetsPath) || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    if (!assets.has(name)) await lookAgain();
    const asset = assets.get(name);
    if (asset) answer(asset, request, response);
    return asset !== undefined;
  };
}

async function readAssets(folder: string, assets: Map<string, Asset>): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const present = new Set(names);
  for (const name of names) {
    const type = types[extname(name)];
    const path = assetsPath + name.replaceAll('\\', '/');
    if (!type || assets.has(path)) continue;
    const bodies = new Map<Encoding, Buffer>();
    for (const [encoding, ending] of encodings)
      if (present.has(name + ending)) bodies.set(encoding, await readFile(join(folder, name + ending)));
    assets.set(path, { type, bodies });
  }
}

// Without an agreement (RFC 9110 §12.5.3) everybody can read what is not compressed.
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
