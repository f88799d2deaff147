import { randomBytes } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { ifAbsent } from '#platform/absent-file.ts';
import { databaseUrl } from '#platform/config/database.ts';
import { authSecret } from '#platform/config/identity.ts';
import { applyStartSettings, env } from '#platform/config/settings.ts';
import { demoLinkMinutes, makeDemoToken } from '#server/accounts/sign-in/demo-link.ts';
import { type Demo, demoOwner, openDemo } from '#server/runtime/demo.ts';
import { lockDataDir } from '#server/runtime/instance-lock.ts';
import { prepareDatabase } from '#server/runtime/prepare-database.ts';
import { StartError } from '#server/runtime/start-error.ts';

type OnStop = (step: () => Promise<unknown>) => void;

/**
 * Starts the trial's embedded database and locks its folder. Returns its connection string and the folder's
 * AUTH_SECRET. `publish` tells commands the address of the service. Throws `StartError` when the folder cannot be
 * created or is in use.
 */
async function startTrial(
  dataDir: string,
  onStop: OnStop,
): Promise<{ databaseUrl: string; authSecret: string; publish?: (appUrl: string) => Promise<void> }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOSPC') throw error;
    throw new StartError(`DATA_DIR: ${dataDir} cannot be created (${error.code}); choose one this user can write to.`);
  });
  await becomeOwner(dataDir);
  const lock = await lockDataDir(dataDir);
  if (lock === 'taken') throw new StartError(`DATA_DIR: a service uses ${dataDir}; stop it, or choose another folder.`);
  onStop(() => lock.release());
  const embedded = await startEmbedded(dataDir);
  onStop(() => embedded.stop());
  const authSecret = await readOrCreateSecret(join(dataDir, 'auth-secret'));
  const publish = (appUrl: string) => lock.publish({ databaseUrl: embedded.url, appUrl });
  return { databaseUrl: embedded.url, authSecret, publish };
}

/** Root gives up its rights for those of the folder's owner, who must be able to use each file afterwards. */
async function becomeOwner(dataDir: string): Promise<void> {
  const { uid, gid } = await stat(dataDir);
  if (process.getuid?.() !== 0 || uid === 0) return;
  // initdb refuses a user without a name, for example the one whose folder a container got.
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':')[2]);
  if (!users.includes(String(uid))) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/**
 * Prepares the database of the settings, or that of a trial, and passes its address, its secret and
 * `appUrl` to the rest of the process. `givenOwnerUrl` is DATABASE_OWNER_URL. `onWait` runs while the database is away.
 */
export async function openDatabase(
  appUrl: string,
  givenOwnerUrl: string | undefined,
  onStop: OnStop,
  onWait: () => Promise<unknown> = async () => {},
) {
  const trial = env().trial ? await startTrial(resolve(env().DATA_DIR), onStop) : undefined;
  const { publish, ...secrets } = trial ?? { databaseUrl: databaseUrl(), authSecret: authSecret() };
  applyStartSettings({ ...secrets, appUrl });
  await prepareDatabase(givenOwnerUrl ?? ownerUrlOf(secrets.databaseUrl), onWait);
  return { secrets, publish };
}

async function readOrCreateSecret(file: string): Promise<string> {
  const stored = await readFile(file, 'utf8').catch(ifAbsent(''));
  if (stored.length >= 32) return stored;
  const secret = randomBytes(33).toString('base64');
  await writeFile(file, secret, { mode: 0o600 });
  return secret;
}

/** Prints what a ready trial tells: addresses, the link that signs in once, sign-ins, a first call. */
export async function printDemo(appUrl: string): Promise<void> {
  const demo = await openDemo(resolve(env().DATA_DIR));
  console.log(describeDemo(appUrl, demo, await makeDemoToken(demoOwner)));
}

function describeDemo(appUrl: string, demo: Demo, token: string | null): string {
  const width = Math.max(...demo.signIns.map(({ username }) => username.length));
  const signIns = demo.signIns.map(
    ({ role, username, password }) => `    ${username.padEnd(width)}  ${password}   ${role}`,
  );
  return `
Staff Notification API is running (trial: demo data, this machine only).
${token === null ? '' : describeLink(appUrl, token)}
  Portal and management area   ${appUrl}
  OpenAPI document             ${appUrl}/api/v1/openapi.json

  Sign in at ${appUrl}/login with a name and its password:
${signIns.join('\n')}

${describeFirstCall(appUrl, demo)}
`;
}

const describeLink = (appUrl: string, token: string) => `
  Open this in a browser to be the owner and send a first greeting (once, within ${demoLinkMinutes} minutes):
    ${appUrl}/login/demo#${token}
`;

function describeFirstCall(appUrl: string, { signIns, key, keyFingerprint }: Demo): string {
  if (key)
    return `  Or sign in as karyawan1, and send a first notification with curl:

  curl -X POST ${appUrl}/api/v1/notif.php \\
    -H 'X-API-Key: ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"judul":"Halo dari demo","isi":"Notifikasi pertama Anda sudah tiba."}'

  The key above is shown this once; only its fingerprint (${keyFingerprint}) is kept.`;
  if (signIns.length === 0)
    return `  demo.json, which had the sign-ins, is missing; \`npm run notif -- owner reset ${demoOwner}\` makes a link for a new password.`;
  if (keyFingerprint === '')
    return `  The first start was interrupted: the demo company may lack people, and its key was not shown; make one at ${appUrl}/owner/keys.`;
  return `  The demo key (fingerprint ${keyFingerprint}) was shown at the first start; make another at ${appUrl}/owner/keys.`;
}
