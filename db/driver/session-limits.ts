import { type Sql, sendSessionLimits, sessionLimits, withConnection } from '#db/driver/connect.ts';
import { parseDatabaseUrl } from '#platform/config/database-url.ts';

// The state of the time limits. `hold`: sessions have them. `ignored`: sessions lack them, although
// no pooler was named. `given`: the role has just got them. `refused`: the role may not set them;
// the text is PostgreSQL's reason.
type SessionLimitsState = 'hold' | 'ignored' | 'given' | { refused: string };

/**
 * Makes sure that every session at `url` has time limits at most as long as ours. Without a pooler
 * each connection sets its own. PgBouncer refuses that, so the role gets the limits of a send as
 * its defaults in this database. Sessions that the pooler already holds get them when it renews
 * them. Shorter limits stay as they are.
 */
export async function ensureSessionLimits(url: string): Promise<SessionLimitsState> {
  const { isPooled } = parseDatabaseUrl(url);
  const limits: Record<string, number> = isPooled ? sendSessionLimits : sessionLimits;
  const ensure = async (sql: Sql) => {
    const settings = await sql<{ name: string; setting: string }[]>`
      select name, setting from pg_settings where name in ${sql(Object.keys(limits))}`;
    const missing = settings.filter(({ name, setting }) => !isWithin(setting, limits[name] ?? 0));
    if (missing.length === 0) return 'hold';
    if (!isPooled) return 'ignored';
    const [session] = await sql<{ role: string; database: string }[]>`
      select quote_ident(current_user) as role, quote_ident(current_database()) as database`;
    for (const { name } of missing)
      await sql.unsafe(`alter role ${session?.role} in database ${session?.database} set ${name} = ${limits[name]}`);
    return 'given';
  };
  return withConnection(url, ensure).catch((error) => ({
    refused: error instanceof Error ? error.message : String(error),
  }));
}

// 0 means no limit.
const isWithin = (setting: string, limitMs: number) => Number(setting) > 0 && Number(setting) <= limitMs;
