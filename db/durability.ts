import { connect } from '#db/driver/connect.ts';

/**
 * A database setting with which a crash could lose a send that was answered with 200, and its
 * value.
 */
export type UnsafeSetting = { name: string; setting: string };

/**
 * Finds the first such setting of the database at `url`, as our sessions get it; null when there is
 * none (contract §7).
 */
export async function findUnsafeSetting(url: string): Promise<UnsafeSetting | null> {
  const sql = connect(url, 1);
  try {
    const [unsafe] = await sql<UnsafeSetting[]>`
      select name, setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name limit 1`;
    return unsafe ?? null;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
