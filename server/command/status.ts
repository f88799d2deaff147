import { connect, type Sql } from '#db/driver/connect.ts';
import { readSchemaState } from '#db/migrate.ts';
import { hostsOf } from '#platform/config/database-url.ts';
import { silenceLog } from '#platform/config/operations.ts';
import { env } from '#platform/config/settings.ts';
import { serviceVersion } from '#platform/config/version.ts';
import { withTimeout } from '#platform/queues/deadline.ts';
import { asMinute, type Command, type ExitCode, exitCodes } from '#server/command/command.ts';
import { findDatabase } from '#server/command/open-database.ts';
import { askService, type Measured, readMetrics, type ServiceState } from '#server/runtime/ask-service.ts';

/** `notif status`: whether the service of this machine runs. */
export const command: Command = {
  words: [],
  about: 'Say whether the service on this machine runs, and what it does.',
  details: [
    `Exit code 0 means that the service is ready, 1 that it runs but is not ready, 3 that it does not run or that the
database is out of reach. So it can be the health check of a container. It takes about half a second, 3 s at most.`,
    `Since when it runs, its processes and its open streams come from METRICS_PORT, if it is set.`,
  ],
  run: async () => {
    silenceLog();
    const settings = env();
    const found = await findDatabase(settings);
    const [service, measured, database] = await Promise.all([
      askService(settings),
      readMetrics(settings),
      found && askDatabase(found.databaseUrl),
    ]);
    return {
      exitCode: judge(service, database),
      text: describe(service, measured, database),
      data: { version: serviceVersion(), isReady: isReady(service), service, measured, database },
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
  lastSendAt?: Date | null;
  heldSends?: number;
  plannedSends?: number;
  missedSends?: number;
  openAlarms?: number;
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
  const postgres = about?.postgres ?? '';
  if (missingMigrations > 0) return { postgres, newestMigration, missingMigrations };
  const [work] = await sql<
    { lastSendAt: Date | null; heldSends: number; plannedSends: number; missedSends: number; openAlarms: number }[]
  >`
    select (select max(n.created_at) from companies c cross join lateral (
        select created_at from notifications where company_id = c.id order by no desc limit 1) n) as "lastSendAt",
      (select count(*)::int from planned_sends where not is_planned and undone_at is null) as "heldSends",
      (select count(*)::int from planned_sends where is_planned and undone_at is null and missed_at is null) as "plannedSends",
      (select count(*)::int from planned_sends where missed_at is not null and undone_at is null) as "missedSends",
      (select count(*)::int from alarms where dismissed_at is null) as "openAlarms"`;
  return { postgres, newestMigration, missingMigrations, ...work };
}

function describe(service: ServiceState, measured: Measured | null, database: DatabaseState | null): string {
  const state = !service.isRunning ? 'does not run' : isReady(service) ? 'runs' : 'runs, but is not ready';
  const missing = service.missing.length > 0 ? ` (missing: ${service.missing.join(', ')})` : '';
  const lines: [string, string][] = [
    ['service', `${state}${missing}, ${service.address}`],
    ['version', serviceVersion()],
    ...(measured ? describeMeasured(measured) : []),
    ...describeDatabase(database),
  ];
  return lines.map(([name, text]) => `${name.padEnd(11)}${text}\n`).join('');
}

const describeMeasured = ({ since, processes, processesWanted, streams }: Measured): [string, string][] => [
  ['since', asMinute(new Date(since))],
  ['processes', `${processes} of ${processesWanted}`],
  ['streams', String(streams)],
];

function describeDatabase(database: DatabaseState | null): [string, string][] {
  if (!database) return [['database', 'none: the trial does not run']];
  const { isReachable, hosts, postgres, newestMigration, missingMigrations, lastSendAt, heldSends, openAlarms } =
    database;
  const { plannedSends = 0, missedSends = 0 } = database;
  if (!isReachable) return [['database', `out of reach, ${hosts}`]];
  const schema = missingMigrations
    ? `${newestMigration}; ${missingMigrations} newer migrations are missing`
    : newestMigration;
  const known: [string, string][] = [
    ['database', `PostgreSQL ${postgres}, ${hosts}`],
    ['schema', schema ?? ''],
  ];
  if (heldSends === undefined) return known;
  return [
    ...known,
    ['last send', asMinute(lastSendAt ?? null)],
    ['waiting', `${heldSends} sends in their 10 seconds of grace, ${plannedSends} planned`],
    ['missed', `${missedSends} planned sends, which their companies decide about`],
    ['alarms', `${openAlarms} open`],
  ];
}
