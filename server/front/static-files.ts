import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pLimit from 'p-limit';
import { chooseEncoding, type EncodedText, encodings } from '#platform/net/encodings.ts';
import { commonHeaders, fileHeaders, transportHeaders } from '#platform/net/http-headers.ts';
import { fileTypes, findBuildFile } from '#server/front/build-files.ts';

const assetsPath = '/_next/static/';

/** Answers a GET or HEAD of a file of a build. Returns false for other requests. */
export type Assets = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

const endings = { br: '.br', gzip: '.gz', identity: '' };

// Each opens up to three files. A process may be allowed few open files.
const maxReadings = 10;

const decompress = promisify(gunzip);

/**
 * Reads the scripts, style sheets and pictures of the build, with compressed copies, into memory (a
 * few megabytes). So a later build cannot remove them. Their names depend on their contents, so
 * browsers may cache them for ever. A name that this build lacks is looked up among the files that
 * other versions have stored. Other files are left to Next.
 */
export async function openAssets(folder: string): Promise<Assets> {
  const assets = await readAssets(folder);
  return async (request, response) => {
    const name = request.url?.split('?', 1)[0] ?? '';
    const type = fileTypes[extname(name)];
    if (!name.startsWith(assetsPath) || !type || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    const path = name.slice(assetsPath.length);
    const bodies = assets.get(path) ?? (await findOfOtherVersion(path));
    if (bodies) answer(type, bodies, request, response);
    return bodies !== null;
  };
}

async function findOfOtherVersion(path: string): Promise<EncodedText | null> {
  const file = await findBuildFile(path);
  if (!file?.isGzip) return file && { identity: file.content };
  return { gzip: file.content, identity: await decompress(file.content) };
}

async function readAssets(folder: string): Promise<Map<string, EncodedText>> {
  const assets = new Map<string, EncodedText>();
  const names = await readdir(folder, { recursive: true });
  const present = new Set(names);
  const read = async (name: string) => {
    const available = encodings.filter((encoding) => present.has(name + endings[encoding]));
    const contents = await Promise.all(
      available.map(async (encoding) => [encoding, await readFile(join(folder, name + endings[encoding]))]),
    );
    assets.set(name.replaceAll('\\', '/'), Object.fromEntries(contents));
  };
  const reading = pLimit(maxReadings);
  await Promise.all(names.filter((name) => fileTypes[extname(name)]).map((name) => reading(() => read(name))));
  return assets;
}

function answer(
  type: string,
  bodies: EncodedText,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const { body, headers: bodyHeaders } = chooseEncoding(bodies, headers['accept-encoding']);
  response.writeHead(200, {
    'Content-Type': type,
    ...bodyHeaders,
    Vary: 'Accept-Encoding',
    'Cache-Control': 'public, max-age=31536000, immutable',
    ...commonHeaders,
    ...fileHeaders,
    ...transportHeaders(),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
