import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pLimit from 'p-limit';
import { db, inTransaction, type Rows } from '#db/client.ts';
import { eq, sql } from '#db/drizzle.cjs';
import { buildFiles } from '#db/schema/tables.ts';
import { asBuildId, stampFile } from '#platform/config/build.ts';
import { authSecret, cookieSecrets, isSameSecret } from '#platform/config/identity.ts';
import { warnOf } from '#platform/log/log.ts';
import { chooseEncoding, type EncodedText, encodings } from '#platform/net/encodings.ts';
import { fileHeaders, leanHeaders, transportHeaders } from '#platform/net/http-headers.ts';

export const fileTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

// `path` is below `static`; `content` is compressed if `isGzip`.
type BuildFile = Pick<Rows['buildFiles'], 'path' | 'isGzip' | 'content'>;

const endings = { br: '.br', gzip: '.gz', identity: '' };

/** Stores the files of a build now and every 6 h, for processes of other versions; they expire after 7 days. */
export async function shareBuild(folder: string): Promise<void> {
  const failure = 'the files of the pages could not be shared with other versions';
  const store = () => storeBuild(folder).catch(warnOf(failure));
  setInterval(store, 6 * 60 * 60 * 1000).unref();
  await store();
}

export const readBuildId = async (folder: string): Promise<string> =>
  asBuildId(await readFile(join(folder, stampFile), 'utf8'));

/** Stores the files of a build, given its folder. Rows that are stored already are only renewed. */
export async function storeBuild(folder: string): Promise<void> {
  const build = await readBuildId(folder);
  const files = await readBuildFiles(join(folder, 'static'));
  const secret = authSecret();
  await inTransaction(async (tx) => {
    const rows = await db(tx)
      .update(buildFiles)
      .set({ seenAt: sql`now()` })
      .where(eq(buildFiles.build, build))
      .returning({ path: buildFiles.path, signature: buildFiles.signature });
    const signatures = new Map(rows.map(({ path, signature }) => [path, signature]));
    for (const [path, { gzip, identity }] of files) {
      const file = { path, isGzip: gzip !== undefined, content: gzip ?? identity };
      const signature = sign(build, file, secret);
      if (signatures.get(path)?.equals(signature)) continue;
      await db(tx)
        .insert(buildFiles)
        .values({ ...file, build, signature })
        .onConflictDoUpdate({
          target: [buildFiles.build, buildFiles.path],
          set: { isGzip: file.isGzip, content: sql`excluded.content`, signature },
        });
    }
  });
}

// Reads the files of a build that browsers load, with their compressed copies, by their paths below `folder`.
async function readBuildFiles(folder: string): Promise<Map<string, EncodedText & { identity: Buffer }>> {
  // Sorted: two processes that start together lock the rows of the database in the same order.
  const names = (await readdir(folder, { recursive: true })).sort();
  const present = new Set(names);
  const read = async (name: string) => {
    const available = encodings.filter((encoding) => present.has(name + endings[encoding]));
    const contents = await Promise.all(
      available.map(async (encoding) => [encoding, await readFile(join(folder, name + endings[encoding]))]),
    );
    return [name.replaceAll('\\', '/'), Object.fromEntries(contents)] as const;
  };
  const files = names.filter((name) => fileTypes[extname(name)]);
  // Each opens up to three files. A process may be allowed few open files.
  return new Map(await pLimit(10).map(files, read));
}

function sign(build: string, { path, isGzip, content }: BuildFile, secret: string): Buffer {
  const head = JSON.stringify(['a file of a build', build, path, isGzip]);
  return createHmac('sha256', secret).update(`${head}\n`).update(content).digest();
}

const isSigned = ({ build, signature, ...file }: Rows['buildFiles']): boolean =>
  cookieSecrets().some((secret) => isSameSecret(signature, sign(build, file, secret)));

const assetsPath = '/_next/static/';

/**
 * Reads the scripts, style sheets and pictures of the build into memory, a few megabytes, so that a later build cannot
 * remove them. Returns what answers a GET or HEAD of one of them, or of another version, and false to other requests.
 */
export async function openAssets(folder: string) {
  const assets = await readBuildFiles(folder);
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const name = request.url?.split('?', 1)[0] ?? '';
    const type = fileTypes[extname(name)];
    if (!name.startsWith(assetsPath) || !type || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    const path = name.slice(assetsPath.length);
    const bodies = assets.get(path) ?? (await findOfOtherVersion(path));
    if (bodies) answer(type, bodies, request, response);
    return bodies !== null;
  };
}

// A file of any build by its path. Null when there is none with a valid signature.
async function findOfOtherVersion(path: string): Promise<EncodedText | null> {
  const files = await db().select().from(buildFiles).where(eq(buildFiles.path, path));
  const file = files.find(isSigned);
  if (!file?.isGzip) return file ? { identity: file.content } : null;
  return { gzip: file.content, identity: await promisify(gunzip)(file.content) };
}

function answer(type: string, bodies: EncodedText, request: IncomingMessage, response: ServerResponse): void {
  const { body, headers: bodyHeaders } = chooseEncoding(bodies, request.headers['accept-encoding']);
  response.writeHead(200, {
    'Content-Type': type,
    ...bodyHeaders,
    Vary: 'Accept-Encoding',
    'Cache-Control': 'public, max-age=31536000, immutable',
    // A page loads 25 files: what only a document needs would weigh 10 kB.
    ...leanHeaders,
    ...fileHeaders,
    ...transportHeaders(),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
