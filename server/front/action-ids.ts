import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads the ids of all form actions of a build. `folder` is the folder of the build. */
export async function readActionIds(folder: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(folder, 'server', 'server-reference-manifest.json'), 'utf8');
  return new Set(Object.keys((JSON.parse(text) as { node: object }).node));
}
