import { connect, type Sql, type Transaction } from '#db/driver/connect.ts';
import { listApplied } from '#db/journal.ts';

/** How many rows each table has, by its name; the table of migrations is not among them. */
export type RowCounts = Record<string, number>;

/** The names of the service's tables that a database has. */
export async function listTables(sql: Sql | Transaction): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition order by relname`;
  return rows.map(({ name }) => name);
}

/** Counts all rows of each of these tables, one table after another. */
export async function countRows(sql: Sql | Transaction, tables: string[]): Promise<RowCounts> {
  const counts: RowCounts = {};
  for (const name of tables) {
    const [row] = await sql<{ rows: number }[]>`select count(*) as rows from ${sql(`public.${name}`)}`;
    counts[name] = row?.rows ?? 0;
  }
  return counts;
}

/**
 * What a database has: PostgreSQL's version, its name and size in bytes, the times of its
 * migrations, and its tables and views that belong to no extension. `ownsAll`: the role of the
 * address owns all tables.
 */
export type Contents = {
  version: string;
  major: number;
  name: string;
  bytes: number;
  encoding: string;
  role: string;
  ownsAll: boolean;
  applied: number[];
  tables: string[];
};

/** Reads what the database at `url` has. */
export async function readContents(url: string): Promise<Contents> {
  const sql = connect(url, 1);
  try {
    return await sql.begin(async (tx) => {
      const [about] = await tx<Omit<Contents, 'applied' | 'tables'>[]>`
        select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
          current_database() as name, pg_database_size(current_database()) as bytes, current_user as role,
          pg_encoding_to_char(d.encoding) as encoding,
          (select coalesce(bool_and(pg_has_role(c.relowner, 'usage')), pg_has_role(d.datdba, 'usage'))
            from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')) as "ownsAll"
        from pg_database d where d.datname = current_database()`;
      if (!about) throw new Error('the database does not know itself');
      return { ...about, applied: await listApplied(tx), tables: await listMade(tx) };
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function listMade(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'drizzle') and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1`;
  return rows.map(({ name }) => name);
}

/** Those of these tables that have rows. The names are as `readContents` gives them. */
export async function listFilled(url: string, tables: string[]): Promise<string[]> {
  const sql = connect(url, 1);
  try {
    const filled: string[] = [];
    // PostgreSQL has quoted the name.
    for (const name of tables.filter((one) => one !== 'drizzle.__drizzle_migrations'))
      if ((await sql.unsafe(`select from ${name} limit 1`)).length > 0) filled.push(name);
    return filled;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
