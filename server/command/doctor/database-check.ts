import { requireRow } from '#db/client.ts';
import { countAllowed, describeUnsafe, findCapacity, findUnsafeSettings, readDatabaseId } from '#db/database-facts.ts';
import { withConnection } from '#db/driver/connect.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { readSchemaState } from '#db/migrate.ts';
import { listMissingPrivileges } from '#db/privileges.ts';
import { hostsOf, parseDatabaseUrl } from '#platform/config/database.ts';
import type { Settings } from '#platform/config/settings.ts';
import { type Check, type Finding, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';
import { chooseBudget, describeConnections } from '#server/runtime/fit-connections.ts';

const oldestVersion = 16;

/** Whether the database is reachable, new enough, migrated, and its roles have the rights that they need, and no more. */
export const databaseCheck: Check = {
  name: 'database',
  run: async ({ settings, database }) => {
    if (!settings || !database)
      return [skipped('No database is known: the settings are wrong, or the trial does not run.')];
    const { url, directUrl, ownerUrl } = database;
    try {
      const facts = await readFacts(url);
      const findings: Record<string, Finding | Finding[]> = {
        database: ok(`The database ${facts.name} at ${hostsOf(url)} answers in ${facts.answerMs} ms.`),
        'database-version': checkVersion(facts),
        'database-rights': describeRights(facts),
        'database-owner': await checkOwner(ownerUrl, facts),
        'database-schema': await checkSchema(directUrl),
        'database-role': checkRole(facts, ownerUrl !== undefined || settings.trial),
        'database-encoding': checkText(facts),
        'wal-compression': checkCompression(facts),
        pooler: checkPooler(url, directUrl),
        'database-tls': checkTls(url),
        'database-connections': await checkConnections(url),
        'database-durability': await checkDurability(settings, url),
        clock: checkClock(facts),
      };
      return Object.entries(findings).flatMap(([name, ofName]) =>
        [ofName].flat().map((finding) => ({ ...finding, name })),
      );
    } catch (error) {
      return [describeFailure('DATABASE_URL', url, error)];
    }
  },
};

type Row = Record<'name' | 'version' | 'role' | 'encoding' | 'compression', string> &
  Record<'isSuperuser' | 'isReadOnly', boolean> & { number: number; owns: boolean | null; at: Date };

type Facts = Awaited<ReturnType<typeof readFacts>>;

const readFacts = (url: string) =>
  withConnection(url, async (sql) => {
    await sql`select 1`;
    const startedAt = Date.now();
    const row = await requireRow(sql<Row[]>`
      select current_database() as name, current_setting('server_version') as version,
        current_setting('server_version_num')::int as number, current_user as role,
        (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
        (select pg_has_role(relowner, 'usage') from pg_class
          where relname = 'audit_log' and relnamespace = (select oid from pg_namespace where nspname = 'public')) as owns,
        current_setting('server_encoding') as encoding, current_setting('wal_compression') as compression,
        pg_is_in_recovery() as "isReadOnly", clock_timestamp() as at`);
    const answerMs = Date.now() - startedAt;
    const clockMs = Math.abs(row.at.getTime() - startedAt - answerMs / 2) - answerMs / 2;
    const [id, missing] = [await readDatabaseId(sql), await listMissingPrivileges(sql)];
    return { ...row, id, missing, answerMs, clockMs: Math.max(0, clockMs) };
  });

function checkVersion({ version, number, isReadOnly }: Facts): Finding {
  if (number < oldestVersion * 10_000)
    return failing(`PostgreSQL ${version} is too old.`, `Use PostgreSQL ${oldestVersion} or newer.`);
  if (isReadOnly)
    return failing(`PostgreSQL ${version} is a standby and takes no writes.`, 'Point DATABASE_URL to the primary.');
  return ok(`PostgreSQL ${version}.`);
}

const grantCure = 'Run `notif migrate` with DATABASE_OWNER_URL: it grants what the service needs.';

function describeRights({ role, missing }: Facts): Finding[] {
  if (missing.length === 0) return [];
  const further = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  return [failing(`The role ${role} lacks rights (42501): ${missing.slice(0, 3).join(', ')}${further}.`, grantCure)];
}

async function checkOwner(ownerUrl: string | undefined, { id }: Facts): Promise<Finding[]> {
  if (!ownerUrl) return [];
  try {
    const owner = await readFacts(ownerUrl);
    const cure = 'Correct DATABASE_OWNER_URL: its role owns the schema that DATABASE_URL uses.';
    if (owner.id && id && owner.id !== id)
      return [failing('DATABASE_OWNER_URL leads to another database than DATABASE_URL.', cure)];
    return owner.owns === false ? [failing(`The role ${owner.role} does not own the schema.`, cure)] : [];
  } catch (error) {
    return [describeFailure('DATABASE_OWNER_URL', ownerUrl, error)];
  }
}

async function checkSchema(directUrl: string): Promise<Finding> {
  const state = await withConnection(directUrl, readSchemaState).catch((error: unknown) =>
    describeFailure('DATABASE_DIRECT_URL', directUrl, error),
  );
  if ('state' in state) return state;
  const { newest, missing, isNewer } = state;
  if (isNewer)
    return warning(
      'A newer version migrated the database; this version runs on it.',
      'Normal during an upgrade and after a way back (docs/upgrading.md). Otherwise install that version.',
    );
  if (missing > 0)
    return warning(`${missing} migrations are missing.`, 'The next start applies them, or `notif migrate`.');
  return ok(`The schema is the newest (${newest}).`);
}

function checkRole({ role, isSuperuser, owns }: Facts, canMigrate: boolean): Finding {
  const cure = 'Use two roles: docs/backup.md says how to change.';
  if (isSuperuser) return warning(`The role ${role} is a superuser and may do everything on the server.`, cure);
  if (owns) return warning(`The role ${role} owns the schema, so only a trigger protects the audit log.`, cure);
  const owner = canMigrate ? '' : ' DATABASE_OWNER_URL is not set, so a start cannot migrate.';
  return ok(`The role ${role} owns nothing.${owner}`);
}

const checkText = ({ encoding }: Facts): Finding =>
  encoding === 'UTF8'
    ? ok('The encoding is UTF8.')
    : failing(`The encoding is ${encoding}.`, 'Create a database with the encoding UTF8 and restore a backup into it.');

const checkCompression = ({ compression }: Facts): Finding =>
  compression === 'off'
    ? warning(
        'wal_compression is off, so a broadcast writes four times as much.',
        'ALTER SYSTEM SET wal_compression = on, then SELECT pg_reload_conf().',
      )
    : ok(`wal_compression is ${compression}.`);

const checkTls = (url: string): Finding =>
  parseDatabaseUrl(url).lacksTls
    ? warning(
        `The connection to the database at ${hostsOf(url)} is not encrypted.`,
        'Add sslmode=verify-full to DATABASE_URL, or sslmode=disable if the network is private.',
      )
    : ok('The connection to the database is encrypted, local, or plain on purpose.');

function checkPooler(url: string, directUrl: string): Finding {
  if (!parseDatabaseUrl(url).isPooled) return ok('DATABASE_URL is not marked as the address of a pooler.');
  return parseDatabaseUrl(directUrl).isPooled
    ? warning(
        'DATABASE_URL leads to a pooler, so notifications ring up to 2 s later.',
        'Set DATABASE_DIRECT_URL to the address past the pooler.',
      )
    : ok('DATABASE_URL leads to a pooler, DATABASE_DIRECT_URL past it.');
}

function describeFailure(variable: string, url: string, error: unknown): Finding {
  const { code = '', message } = error as Error & { code?: string };
  if (isDatabaseUnavailable(error))
    return failing(
      `The database at ${hostsOf(url)} is out of reach (${code || message}).`,
      'Check that PostgreSQL runs there and that this machine may connect to it.',
    );
  const cure = code === '42501' ? grantCure : `Check user, password and database name in ${variable}.`;
  return failing(`The database at ${hostsOf(url)} refuses ${variable}: ${message} (${code}).`, cure);
}

// Whether all processes together fit into the connections that the database allows.
async function checkConnections(url: string): Promise<Finding> {
  const capacity = await findCapacity(url);
  if (!capacity) return skipped('DATABASE_URL leads to a pooler, which has limits of its own.');
  const budget = chooseBudget(capacity);
  const problem = describeConnections(capacity, budget, Math.max(1, capacity.otherProcesses));
  if (problem) return warning(...problem);
  const allowed = countAllowed(capacity);
  return ok(`Each process may open ${budget} connections, and the database has ${allowed} for all of them.`);
}

async function checkDurability(settings: Settings, url: string): Promise<Finding[]> {
  const unsafe = await findUnsafeSettings(url, settings.DATABASE_DURABILITY);
  const refused = unsafe.filter(({ isTrusted }) => !isTrusted);
  if (refused.length > 0)
    return refused.map((setting) => {
      const { problem, cure } = describeUnsafe(setting);
      return failing(`${capitalize(problem)}.`, capitalize(cure));
    });
  if (unsafe.length === 0) return [ok('fsync, full_page_writes and synchronous_commit are on.')];
  const list = unsafe.map((one) => `${one.name} = ${one.setting}`).join(', ');
  return [ok(`The database runs with ${list}; DATABASE_DURABILITY=provider trusts the provider's storage.`)];
}

const capitalize = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

function checkClock({ clockMs }: Facts): Finding {
  const sentence = `This machine and the database differ by ${(clockMs / 1000).toFixed(1)} s.`;
  const cure = 'Install systemd-timesyncd or chrony on both machines, and check timedatectl.';
  if (clockMs > 60_000) return failing(`${sentence} People are signed out and devices get nothing.`, cure);
  return clockMs > 2000 ? warning(sentence, cure) : ok(sentence);
}
