import { connect, type Sql } from '#db/driver/connect.ts';
import { readSchemaState } from '#db/migrate.ts';
import { hostsOf } from '#platform/config/database-url.ts';
import { silenceLog } from '#platform/config/operations.ts';
import { env } from '#platform/config/settings.ts';
import { serviceVersion } from '#platform/config/version.ts';
import { withTimeout } from '#platform/queues/deadline.ts';
import { type Command, type ExitCode, exitCodes } from '#server/command/command.ts';
import { findDatabase } from '#server/command/open-database.ts';
import { askService, type ServiceState } from '#server/runtime/ask-service.ts';

/** `notif status`: whether the service of this machine runs. */
export const command: Command = {
  words: [],
  about: 'Say whether the service on this machine runs, and whether its database answers.',
  details: [
    `Exit code 0 means that the service is ready, 1 that it runs but is not ready, 3 that it does not run or that the
database is out of reach. So it can be the health check of a container. It takes about half a second, 3 s at most.`,
  ],
  run: async () => {
    silenceLog();
    const settings = env();
    const found = await findDatabase(settings);
    const [service, database] = await Promise.all([askService(settings), found && askDatabase(found.databaseUrl)]);
    return {
      exitCode: judge(service, database),
      text: describe(service, database),
      data: { version: serviceVersion(), isReady: isReady(service), service, database },
    };
  },
};

const isReady = ({ isRunning, missing }: ServiceState) => isRunning && missing.length === 0;

function judge(service: ServiceState, database: DatabaseState | null): ExitCode {
  if (!service.isRunning || !database?.isReachable || service.missing.includes('database'))
    return exitCodes.unreachable;
  return isReady(service) ? exitCodes.done : exitCodes.failed;
}

type DatabaseState = {
  isReachable: boolean;
  hosts: string;
  postgres?: string;
  newestMigration?: string;
  missingMigrations?: number;
};

const databaseTimeoutMs = 2500;

async function askDatabase(url: string): Promise<DatabaseState> {
  const sql = connect(url, 1);
  try {
    const found = await withTimeout(databaseTimeoutMs, () => readDatabase(sql).catch(() => null));
    return { isReachable: found !== null, hosts: hostsOf(url), ...found };
  } finally {
    void sql.end({ timeout: 0 });
  }
}

async function readDatabase(sql: Sql): Promise<Omit<DatabaseState, 'isReachable' | 'hosts'>> {
  const [about] = await sql<{ postgres: string }[]>`select current_setting('server_version') as postgres`;
  const { newest: newestMigration, missing: missingMigrations } = await readSchemaState(sql);
  return { postgres: about?.postgres ?? '', newestMigration, missingMigrations };
}

function describe(service: ServiceState, database: DatabaseState | null): string {
  const state = !service.isRunning ? 'does not run' : isReady(service) ? 'runs' : 'runs, but is not ready';
  const missing = service.missing.length > 0 ? ` (missing: ${service.missing.join(', ')})` : '';
  const lines: [string, string][] = [
    ['service', `${state}${missing}, ${service.address}`],
    ['version', serviceVersion()],
    ...describeDatabase(database),
  ];
  return lines.map(([name, text]) => `${name.padEnd(11)}${text}\n`).join('');
}

function describeDatabase(database: DatabaseState | null): [string, string][] {
  if (!database) return [['database', 'none: the trial does not run']];
  const { isReachable, hosts, postgres, newestMigration = '', missingMigrations } = database;
  if (!isReachable) return [['database', `out of reach, ${hosts}`]];
  const missing = missingMigrations ? `; ${missingMigrations} newer migrations are missing` : '';
  return [
    ['database', `PostgreSQL ${postgres}, ${hosts}`],
    ['schema', newestMigration + missing],
  ];
}
