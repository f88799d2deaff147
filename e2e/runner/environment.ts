import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startCluster } from '#db/embedded/embedded.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { createDatabase } from '#e2e/support/service/databases.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { freePort, root, type Service, startOrExplain } from '#e2e/support/service/service.ts';

export const reportFolder = join(root, 'e2e', '.out');

/** Environment variables that make a service log its outgoing connections to a file. */
export const outboundLogVariables = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'e2e', 'runner', 'setup', 'outbound.ts'))}`,
  OUTBOUND_LOG: join(reportFolder, 'outbound.log'),
};

export type Variables = Record<string, string>;

// Three test files at a time start up to three services each: 100 connections are too few.
const testConnections = 300;

/** Starts the embedded PostgreSQL in a new temporary folder and migrates a database. `stop` removes the folder. */
export async function startTestDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'notif-test-'));
  // Some tests count statements. Utility statements are left out, because their text holds the passwords of roles.
  const statistics = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_utility=off'];
  const settings = [`max_connections=${testConnections}`, ...statistics];
  const server = await startCluster(folder, { settings });
  const { url } = await createDatabase(server.adminUrl, 'notif_test');
  const [pushPort, alarmPushPort] = [await freePort(), await freePort()];
  const variables = {
    // Programs that tests start must not read a developer's `.env`.
    SETTINGS_FILE: '/dev/null',
    DATABASE_URL: url,
    ADMIN_DATABASE_URL: server.adminUrl,
    AUTH_SECRET: 'a secret of the tests, and of nothing else',
    SIGN_UP: 'open',
    PUSH_SERVICES: `http://127.0.0.1:${pushPort},http://127.0.0.1:${alarmPushPort}`,
    TEST_PUSH_PORT: String(pushPort),
    TEST_ALARM_PUSH_PORT: String(alarmPushPort),
  };
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, server, variables, stop };
}

export type TestDatabase = Awaited<ReturnType<typeof startTestDatabase>>;

/** Registers the passwords and the secret of the environment, so that the search at the end of a run finds them. */
export function registerSecrets({ DATABASE_URL = '', ADMIN_DATABASE_URL = '', AUTH_SECRET = '' }: Variables): void {
  const urls = [DATABASE_URL, ownerUrlOf(DATABASE_URL) ?? '', ADMIN_DATABASE_URL].filter(Boolean);
  for (const url of urls) noteSecret(new URL(url).password);
  noteSecret(AUTH_SECRET);
}

/** Starts the service under test on a free port of 127.0.0.1. The pages must be built. */
export async function startTestService(variables: Variables): Promise<Service> {
  const port = String(await freePort());
  return startOrExplain({ ...variables, PORT: port, HOST: '127.0.0.1', APP_URL: `http://127.0.0.1:${port}` });
}
