import type { Sql } from '#db/driver/connect.ts';

/** What names the database of a pool, whichever role and address lead there. Null where it cannot be read. */
export async function readDatabaseId(sql: Sql): Promise<string | null> {
  const rows = await sql<{ id: string }[]>`
    select system_identifier || '/' || oid as id from pg_control_system(), pg_database where datname = current_database()`
    // A provider may forbid the function.
    .catch(() => []);
  return rows[0]?.id ?? null;
}
