import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifAbsent } from '#platform/absent-file.ts';
import { env } from '#platform/config/settings.ts';
import packageFile from '../../package.json' with { type: 'json' };

export const serviceVersion = (): string => packageFile.version;

/** The version that the operator wrote into `newest-version` of DATA_DIR, if it is newer than this one. */
export async function findNewerVersion(): Promise<string | null> {
  const text = await readFile(join(env().DATA_DIR, 'newest-version'), 'utf8').catch(ifAbsent(''));
  const [version] = /\d+\.\d+\.\d+/.exec(text) ?? [];
  return version && version.localeCompare(serviceVersion(), 'en', { numeric: true }) > 0 ? version : null;
}
