import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { chooseEncoding, type EncodedText } from '#platform/net/encodings.ts';
import { commonHeaders, fileHeaders, transportHeaders } from '#platform/net/http-headers.ts';
import { fileTypes, findBuildFile, readBuildFiles } from '#server/front/build-files.ts';

const assetsPath = '/_next/static/';

/** Answers a GET or HEAD of a file of a build. Returns false for other requests. */
export type Assets = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

const decompress = promisify(gunzip);

/**
 * Reads the scripts, style sheets and pictures of the build, with compressed copies, into memory (a
 * few megabytes). So a later build cannot remove them. Their names depend on their contents, so
 * browsers may cache them for ever. A name that this build lacks is looked up among the files that
 * other versions have stored. Other files are left to Next.
 */
export async function openAssets(folder: string): Promise<Assets> {
  const assets = await readBuildFiles(folder);
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
