import { createHmac, timingSafeEqual } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import pLimit from 'p-limit';
import { inTransaction, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { asBuildId, stampFile } from '#platform/config/build.ts';
import { authSecret, cookieSecrets } from '#platform/config/identity.ts';
import { log } from '#platform/log/log.ts';

export const fileTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** A file of a build. `path` is below `static`; `content` is compressed if `isGzip`. */
export type BuildFile = Pick<Rows['buildFiles'], 'path' | 'isGzip' | 'content'>;

const renewMs = 6 * 60 * 60 * 1000;
const maxReadings = 10;

/**
 * Stores the files of a build in the database. Pages of this build may load them from a machine
 * that has another version. If the database fails, writes a warning; the next renewal tries again.
 */
export async function shareBuild(folder: string): Promise<void> {
  await storeBuild(folder).catch((error: unknown) =>
    log().warn({ err: error }, 'the files of the pages could not be shared with other versions'),
  );
}

/** Renews the stored files of the build until the process ends. They expire after 7 days. */
export function startRenewals(folder: string): void {
  setInterval(() => void shareBuild(folder), renewMs).unref();
}

export async function readBuildId(folder: string): Promise<string> {
  return asBuildId(await readFile(join(folder, stampFile), 'utf8'));
}

/** Stores the files of a build, given its folder. Rows that are stored already are only renewed. */
export async function storeBuild(folder: string): Promise<void> {
  const build = await readBuildId(folder);
  const files = await readFiles(join(folder, 'static'));
  const secret = authSecret();
  await inTransaction(async (tx) => {
    const stored = await tx<Pick<Rows['buildFiles'], 'path' | 'signature'>[]>`
      update build_files set seen_at = now() where build = ${build} returning path, signature`;
    const known = new Map(stored.map(({ path, signature }) => [path, signature]));
    for (const file of files) {
      const signature = sign(build, file, secret);
      if (known.get(file.path)?.equals(signature)) continue;
      await tx`
        insert into build_files (build, path, is_gzip, content, signature)
        values (${build}, ${file.path}, ${file.isGzip}, ${file.content}, ${signature})
        on conflict (build, path) do update
          set is_gzip = excluded.is_gzip, content = excluded.content, signature = excluded.signature`;
    }
  });
}

/**
 * Returns the files of all builds but the `known` ones, and adds those builds to `known`. Files
 * without a valid signature are left out.
 */
export async function findOtherBuilds(known: Set<string>): Promise<BuildFile[]> {
  const found = await sql()<Pick<Rows['buildFiles'], 'build'>[]>`
    select distinct build from build_files where build <> all(${[...known]}::text[])`;
  const files: BuildFile[] = [];
  for (const { build } of found) {
    const rows = await sql()<(BuildFile & Pick<Rows['buildFiles'], 'signature'>)[]>`
      select path, is_gzip as "isGzip", content, signature from build_files where build = ${build}`;
    files.push(...rows.filter((row) => isSigned(build, row)));
    known.add(build);
  }
  return files;
}

// In the order of their names: two machines that start together lock the rows in the same order.
async function readFiles(folder: string): Promise<BuildFile[]> {
  const names = (await readdir(folder, { recursive: true })).sort();
  const present = new Set(names);
  const reading = pLimit(maxReadings);
  const read = async (name: string) => {
    const isGzip = present.has(`${name}.gz`);
    const content = await readFile(join(folder, isGzip ? `${name}.gz` : name));
    return { path: name.replaceAll('\\', '/'), isGzip, content };
  };
  return Promise.all(names.filter((name) => fileTypes[extname(name)]).map((name) => reading(() => read(name))));
}

function sign(build: string, { path, isGzip, content }: BuildFile, secret: string): Buffer {
  const head = JSON.stringify(['a file of a build', build, path, isGzip]);
  return createHmac('sha256', secret).update(`${head}\n`).update(content).digest();
}

function isSigned(build: string, { signature, ...file }: BuildFile & { signature: Buffer }): boolean {
  return cookieSecrets().some((secret) => {
    const expected = sign(build, file, secret);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}
