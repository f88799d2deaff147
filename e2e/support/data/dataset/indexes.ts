import type postgres from 'postgres';

/** Runs `work` without durability and foreign key checks, then restores both. */
export async function withoutDurability(sql: postgres.Sql, work: () => Promise<void>): Promise<void> {
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_wal_size: '16GB',
    autovacuum: 'off',
  };
  const [row] = await sql<{ name: string }[]>`select current_database() as name`;
  const database = sql(row?.name ?? '');
  for (const [name, value] of Object.entries(settings)) await sql.unsafe(`alter system set ${name} = '${value}'`);
  await sql`select pg_reload_conf()`;
  // The rows are correct by construction; in the role of a replica, PostgreSQL skips the triggers
  // that check them.
  await sql`alter database ${database} set session_replication_role = replica`;
  try {
    await sql`set session_replication_role = replica`;
    await work();
  } finally {
    await sql`alter database ${database} reset session_replication_role`;
    for (const name of Object.keys(settings)) await sql.unsafe(`alter system reset ${name}`);
    await sql`select pg_reload_conf()`;
  }
}

/** Drops all indexes that no constraint needs. Returns the statements that create them again. */
export async function dropIndexes(sql: postgres.Sql): Promise<string[]> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = i.indexrelid)`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  return indexes.map(({ definition }) => definition);
}

/** Creates indexes, two at a time. */
export async function buildIndexes(sql: postgres.Sql, definitions: string[]): Promise<void> {
  const waiting = [...definitions];
  const build = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await sql.begin(async (transaction) => {
        await transaction`set local maintenance_work_mem = '512MB'`;
        await transaction`set local max_parallel_maintenance_workers = 0`;
        await transaction.unsafe(next ?? '');
      });
  };
  await Promise.all([build(), build()]);
}
