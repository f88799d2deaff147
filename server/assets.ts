import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import Negotiator from 'negotiator';

/** Where browsers find what the build made: scripts, style sheets and the like. */
export const assetsPath = '/_next/static/';

type Encoding = 'br' | 'gzip' | 'identity';
type Asset = { type: string; bodies: Map<Encoding, Buffer> };

/** Answers for one of the build's files; false when there is none of that name or the method is another. */
export type Assets = (request: IncomingMessage, response: ServerResponse) => boolean;

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

/**
 * Reads the build's scripts and style sheets, with what was compressed beside them, into memory: some megabytes, which no later build can
 * take away. Names follow from contents, so browsers may keep them for good. Other files are left to whoever answers the rest.
 */
export async function openAssets(folder: string): Promise<Assets> {
  const assets = new Map<string, Asset>();
  const names = await readdir(folder, { recursive: true });
  const present = new Set(names);
  for (const name of names) {
    const type = types[extname(name)];
    if (!type) continue;
    const bodies = new Map<Encoding, Buffer>();
    for (const [encoding, ending] of encodings)
      if (present.has(name + ending)) bodies.set(encoding, await readFile(join(folder, name + ending)));
    assets.set(assetsPath + name.replaceAll('\\', '/'), { type, bodies });
  }
  return (request, response) => {
    const asset = assets.get(request.url?.split('?', 1)[0] ?? '');
    if (!asset || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    answer(asset, request, response);
    return true;
  };
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
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
