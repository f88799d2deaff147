import { describeUnsafe, findUnsafeSettings } from '#db/database-facts.ts';
import { ensureSessionLimits, withConnection } from '#db/driver/connect.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { migrateDatabase, readSchemaState } from '#db/migrate.ts';
import { ownsAuditLog } from '#db/privileges.ts';
import { databaseUrl, directDatabaseUrl, hostsOf, parseDatabaseUrl } from '#platform/config/database.ts';
import { env } from '#platform/config/settings.ts';
import { log } from '#platform/log/log.ts';
import { StartError } from '#server/runtime/start-error.ts';

const retryMs = 1000;

/**
 * Migrates the database and checks its settings. Waits until it is reachable, and calls `onWait` where it has to.
 * Throws `StartError` for wrong settings.
 */
export async function prepareDatabase(ownerUrl: string | undefined, onWait: () => Promise<unknown>): Promise<void> {
  const migrator = chooseMigrator(ownerUrl);
  await retryUntilReachable(migrator.variable, migrator.url, () => migrateDatabase(ownerUrl), onWait);
  const url = databaseUrl();
  const directUrl = directDatabaseUrl();
  const [schema, ...owns] = await Promise.all([
    withConnection(url, readSchemaState),
    ownsAuditLog(url),
    ownsAuditLog(directUrl),
    requireDurability(url, onWait),
    printTimeLimits(url),
  ]);
  const plain = [ownerUrl, url, directUrl].find((address) => address && parseDatabaseUrl(address).lacksTls);
  if (plain)
    log().warn(
      { database: hostsOf(plain) },
      'the connection to the database is not encrypted; add sslmode=verify-full to its address, or sslmode=disable if that is meant',
    );
  if (schema.isNewer) log().warn('a newer version migrated the database');
  if (owns.includes(true))
    log().warn('the database role of the service owns the schema: only a trigger keeps it from changing the audit log');
}

/** The setting whose role migrates, and its address. Throws `EnvError`. */
export function chooseMigrator(ownerUrl: string | undefined): { variable: string; url: string } {
  const url = directDatabaseUrl();
  if (ownerUrl) return { variable: 'DATABASE_OWNER_URL', url: ownerUrl };
  return { variable: url === databaseUrl() ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL', url };
}

// PgBouncer's message about session settings. Its error code has other meanings too.
const isOfPooler = (error: unknown) =>
  error instanceof Error && error.message.startsWith('unsupported startup parameter');

/** Whether waiting for the database does not help: a setting must be corrected. */
export const isOfSetting = (error: unknown): boolean => isOfPooler(error) || !isDatabaseUnavailable(error);

/** What an error of a setting (`isOfSetting`) says about the one that leads to the database. */
export function explainSetting(variable: string, error: unknown): StartError {
  if (!isOfPooler(error)) return new StartError(`${variable}: ${error instanceof Error ? error.message : error}.`);
  const setting = variable === 'DATABASE_OWNER_URL' ? 'or set it' : 'and set DATABASE_DIRECT_URL';
  const advice = `add ?pgbouncer=true to it, ${setting} to the address past the pooler`;
  return new StartError(`${variable}: leads to a connection pooler; ${advice}.`);
}

// A database that is down is waited for; every other error is a setting to correct.
async function retryUntilReachable<Value>(
  variable: string,
  url: string,
  run: () => Promise<Value>,
  onWait: () => Promise<unknown>,
): Promise<Value> {
  for (let lastReason = ''; ; ) {
    try {
      return await run();
    } catch (error) {
      if (isOfSetting(error)) throw explainSetting(variable, error);
      const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      await onWait();
      if (reason !== lastReason)
        console.log(`Waiting for the database at ${hostsOf(url)} (${reason}); press Ctrl-C to stop.`);
      lastReason = reason;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

async function requireDurability(url: string, onWait: () => Promise<unknown>): Promise<void> {
  const find = () => findUnsafeSettings(url, env().DATABASE_DURABILITY);
  const settings = await retryUntilReachable('DATABASE_URL', url, find, onWait);
  const refused = settings.find(({ isTrusted }) => !isTrusted);
  if (refused) {
    const { problem, cure } = describeUnsafe(refused);
    throw new StartError(`DATABASE_URL: ${problem}; ${cure}`);
  }
  if (settings.length > 0)
    log().warn(
      { settings: settings.map(({ name, setting }) => `${name} = ${setting}`) },
      'DATABASE_DURABILITY=provider: the storage of the provider is trusted, the settings of the database are not checked',
    );
}

async function printTimeLimits(url: string): Promise<void> {
  const limits = await ensureSessionLimits(url);
  if (limits === 'given')
    console.log(
      'DATABASE_URL: the pooler’s sessions had no time limits; the role has them now. Run RECONNECT in PgBouncer so that open sessions get them too.',
    );
  else if (limits === 'ignored')
    console.log(
      'DATABASE_URL: sessions have no time limits, because something on the way ignores them; if it is a connection pooler, add ?pgbouncer=true.',
    );
  else if (limits !== 'hold')
    console.log(
      `DATABASE_URL: the pooler’s sessions have no time limits, and the role may not set them (${limits.refused}).`,
    );
  if (parseDatabaseUrl(directDatabaseUrl()).isPooled)
    console.log(
      'DATABASE_DIRECT_URL: is not set; behind a pooler notifications reach the portals after up to 2 s instead of at once.',
    );
}
