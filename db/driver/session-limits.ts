import { connect, sendSessionLimits, sessionLimits } from '#db/driver/connect.ts';
import { readAddress } from '#server/database-url.ts';

/**
 * What became of the limits: they hold, a pooler that was not named `ignored` them, the role has just been given them (`given`), or it could
 * not be (`refused`, why).
 */
export type WaitLimits = 'hold' | 'ignored' | 'given' | { refused: string };

type Setting = { name: string; setting: string };

/**
 * Sees to it that no session waits for longer than ours may. Without a pooler each connection brings its limits along. A pooler refuses that,
 * so the role gets those of a send in this database, for all its sessions (each role may give itself such settings); sessions that the pooler
 * holds already keep theirs until it renews them. A limit that is shorter than ours stays.
 */
export async function ensureSessionLimits(url: string): Promise<WaitLimits> {
  const sql = connect(url, 1);
  try {
    const { isPooled } = readAddress(url);
    const limits: Record<string, number> = isPooled ? sendSessionLimits : sessionLimits;
    const settings = await sql<
      Setting[]
    >`select name, setting from pg_settings where name in ${sql(Object.keys(limits))}`;
    const missing = settings.filter(({ name, setting }) => !isWithin(setting, limits[name] ?? 0));
    if (missing.length === 0) return 'hold';
    if (!isPooled) return 'ignored';
    const [at] = await sql<{ role: string; database: string }[]>`
      select quote_ident(current_user) as role, quote_ident(current_database()) as database`;
    for (const { name } of missing)
      await sql.unsafe(`alter role ${at?.role} in database ${at?.database} set ${name} = ${limits[name]}`);
    return 'given';
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const isWithin = (setting: string, longest: number) => Number(setting) > 0 && Number(setting) <= longest;
