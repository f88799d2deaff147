import { readContents } from '#db/contents.ts';
import { connect } from '#db/driver/connect.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { readJournal } from '#db/journal.ts';
import { type Check, type Finding, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';
import { hostsOf, readAddress } from '#server/database-url.ts';

const oldestVersion = 16;

/**
 * Whether the database can be reached, is new enough, has the schema of this version, and gives the
 * service's role no more than it needs.
 */
export const databaseCheck: Check = {
  name: 'database',
  run: async ({ settings, database }) => {
    if (!database)
      return [skipped('database', 'No database is known: the settings are wrong, or the trial does not run.')];
    const { url, directUrl, ownerUrl } = database;
    try {
      const facts = await readFacts(url);
      return [
        ok('database', `The database ${facts.name} at ${hostsOf(url)} answers in ${facts.answerMs} ms.`),
        checkVersion(facts),
        await checkSchema(directUrl),
        checkRole(facts, ownerUrl !== undefined || settings?.trial === true),
        checkText(facts),
        checkCompression(facts),
        checkPooler(url, directUrl),
      ];
    } catch (error) {
      return [describeUnreachable(url, error)];
    }
  },
};

type Facts = {
  name: string;
  version: string;
  number: number;
  role: string;
  isSuperuser: boolean;
  owns: boolean;
  encoding: string;
  compression: string;
  isReadOnly: boolean;
  answerMs: number;
};

async function readFacts(url: string): Promise<Facts> {
  const sql = connect(url, 1);
  try {
    await sql`select 1`;
    const startedAt = performance.now();
    const [row] = await sql<Omit<Facts, 'answerMs'>[]>`
      select current_database() as name, current_setting('server_version') as version,
        current_setting('server_version_num')::int as number, current_user as role,
        (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
        coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('public.audit_log')), false) as owns,
        current_setting('server_encoding') as encoding, current_setting('wal_compression') as compression,
        pg_is_in_recovery() as "isReadOnly"`;
    if (!row) throw new Error('the database does not know itself');
    return { ...row, answerMs: Math.round(performance.now() - startedAt) };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function checkVersion({ version, number, isReadOnly }: Facts): Finding {
  const name = 'database-version';
  if (number < oldestVersion * 10_000)
    return failing(name, `PostgreSQL ${version} is too old.`, `Use PostgreSQL ${oldestVersion} or newer.`);
  if (isReadOnly)
    return failing(
      name,
      `PostgreSQL ${version} is a standby and takes no writes.`,
      'Point DATABASE_URL to the primary.',
    );
  return ok(name, `PostgreSQL ${version}.`);
}

async function checkSchema(directUrl: string): Promise<Finding> {
  const name = 'database-schema';
  const { applied, bytes } = await readContents(directUrl);
  const journal = await readJournal();
  const known = new Set(journal.map(({ when }) => when));
  if (applied.some((when) => !known.has(when)))
    return failing(
      name,
      'A newer version of the service has migrated the database.',
      'Install that version, or go back with its own `notif migrate --undo-to` (docs/upgrading.md).',
    );
  const missing = journal.filter(({ when }) => when > (applied.at(-1) ?? 0));
  if (missing.length > 0)
    return warning(
      name,
      `${missing.length} migrations are missing.`,
      'The next start applies them, or `notif migrate`.',
    );
  return ok(
    name,
    `The schema is the newest (${journal.at(-1)?.tag}). The database has ${(bytes / 1e6).toFixed(0)} MB.`,
  );
}

function checkRole({ role, isSuperuser, owns }: Facts, canMigrate: boolean): Finding {
  const name = 'database-role';
  const cure = 'Use two roles: docs/backup.md says how to change.';
  if (isSuperuser) return warning(name, `The role ${role} is a superuser and may do everything on the server.`, cure);
  if (owns) return warning(name, `The role ${role} owns the schema, so only a trigger protects the audit log.`, cure);
  const owner = canMigrate ? '' : ' DATABASE_OWNER_URL is not set, so a start cannot migrate.';
  return ok(name, `The role ${role} owns nothing.${owner}`);
}

const checkText = ({ encoding }: Facts): Finding =>
  encoding === 'UTF8'
    ? ok('database-encoding', 'The encoding is UTF8.')
    : failing('database-encoding', `The encoding is ${encoding}.`, 'Create a database with UTF8 and move into it.');

const checkCompression = ({ compression }: Facts): Finding =>
  compression === 'off'
    ? warning(
        'wal-compression',
        'wal_compression is off, so a broadcast writes four times as much.',
        'ALTER SYSTEM SET wal_compression = on, then SELECT pg_reload_conf().',
      )
    : ok('wal-compression', `wal_compression is ${compression}.`);

function checkPooler(url: string, directUrl: string): Finding {
  if (!readAddress(url).isPooled) return ok('pooler', 'DATABASE_URL leads to no pooler that is named.');
  return readAddress(directUrl).isPooled
    ? warning(
        'pooler',
        'DATABASE_URL leads to a pooler, so notifications ring up to 2 s later.',
        'Set DATABASE_DIRECT_URL to the address past the pooler.',
      )
    : ok('pooler', 'DATABASE_URL leads to a pooler, DATABASE_DIRECT_URL past it.');
}

function describeUnreachable(url: string, error: unknown): Finding {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return failing(
    'database',
    `The database at ${hostsOf(url)} is out of reach (${reason}).`,
    isDatabaseUnavailable(error)
      ? 'Check that PostgreSQL runs there and that this machine may connect to it.'
      : 'Check user, password and database name in DATABASE_URL.',
  );
}
