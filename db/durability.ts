import { connect } from '#db/driver/connect.ts';

/** A setting of a database under which a send that was answered 200 could be lost in a crash, and what it is set to. */
export type UnsafeSetting = { name: string; setting: string };

/** The first such setting of the database at `url`, as our own sessions get it, or null (contract §7: what was answered stays). */
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
