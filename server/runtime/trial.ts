import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '#db/embedded.ts';
import type { Demo } from '#server/runtime/demo.ts';
import { lockDataDir } from '#server/runtime/instance-lock.ts';
import { StartError } from '#server/runtime/start-error.ts';

/** What must be undone when the service stops, the latest first. */
export type OnStop = (step: () => Promise<unknown>) => void;

/**
 * Makes a data folder this service's own, starts the database in it and answers where it is, and the folder's secret. Throws
 * `StartError` when the folder cannot be made or another service holds it.
 */
export async function startTrial(
  dataDir: string,
  onStop: OnStop,
): Promise<{ databaseUrl: string; authSecret: string }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOSPC') throw error;
    throw new StartError(`DATA_DIR: the folder ${dataDir} cannot be made (${error.code}).`);
  });
  const lock = await lockDataDir(dataDir);
  if (lock === 'taken') throw new StartError(`DATA_DIR: ${dataDir} is in use by a service that is already running.`);
  onStop(() => lock.release());
  const embedded = await startEmbedded(dataDir);
  onStop(() => embedded.stop());
  return { databaseUrl: embedded.url, authSecret: await keepSecret(join(dataDir, 'auth-secret')) };
}

async function keepSecret(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.length >= 32) return kept;
  const secret = randomBytes(33).toString('base64');
  await writeFile(file, secret, { mode: 0o600 });
  return secret;
}

/** What a trial prints once it is ready: addresses, sign-ins, and how to send the first notification. */
export function describeDemo(appUrl: string, { signIns, key, keyFingerprint }: Demo): string {
  const width = Math.max(...signIns.map(({ username }) => username.length));
  const lines = signIns.map(({ role, username, password }) => `    ${username.padEnd(width)}  ${password}   ${role}`);
  const body = `{"judul":"Halo dari demo","isi":"Notifikasi pertama Anda sudah tiba."}`;
  const curl = `  curl -X POST ${appUrl}/api/v1/notif.php \\\n    -H 'X-API-Key: ${key}' \\\n    -H 'Content-Type: application/json' \\\n    -d '${body}'`;
  return `
Staff Notification API is running (trial: demo data, this machine only).

  Portal and management area   ${appUrl}
  OpenAPI document             ${appUrl}/api/v1/openapi.json

  Sign in at ${appUrl}/login with a name and its password:
${lines.join('\n')}

${
  key
    ? `  Sign in as karyawan1, then send your first notification:\n\n${curl}\n\n  The key above is shown this once; only its fingerprint (${keyFingerprint}) is kept.`
    : signIns.length === 0 || keyFingerprint === ''
      ? '  The first start was interrupted before the demo company was complete; remove the data folder to begin anew.'
      : `  The demo key (fingerprint ${keyFingerprint}) was shown at the first start; make another at ${appUrl}/owner/keys.`
}
`;
}
