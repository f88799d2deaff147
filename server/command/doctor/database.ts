import { connect } from '#db/driver/connect.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { type Check, type Finding, failing, ok, skipped } from '#server/command/doctor/check.ts';
import { hostsOf } from '#server/database-url.ts';

const oldestVersion = 16;

/** Whether the database can be reached and is new enough. */
export const databaseCheck: Check = {
  name: 'database',
  run: async ({ database }) => {
    if (!database)
      return [skipped('database', 'No database is known: the settings are wrong, or the trial does not run.')];
    const sql = connect(database.url, 1);
    try {
      const [row] = await sql<{ version: string; number: number }[]>`
        select current_setting('server_version') as version, current_setting('server_version_num')::int as number`;
      return [ok('database', `The database at ${hostsOf(database.url)} answers.`), checkVersion(row)];
    } catch (error) {
      return [describeUnreachable(database.url, error)];
    } finally {
      await sql.end({ timeout: 1 });
    }
  },
};

function checkVersion(row: { version: string; number: number } | undefined): Finding {
  const { version = '', number = 0 } = row ?? {};
  return number >= oldestVersion * 10_000
    ? ok('database-version', `PostgreSQL ${version}.`)
    : failing('database-version', `PostgreSQL ${version} is too old.`, `Use PostgreSQL ${oldestVersion} or newer.`);
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
