import { sql } from '#db/client.ts';

type Columns = { table: string; column: string };

/**
 * Returns a checksum of one company's rows for each table, `companies` included. `key_usage` is
 * left out: it changes with every call, and so are the traces of denied requests. So is the time at which the hourly job counted statistics.
 */
export async function checksumOf(companyId: number): Promise<Record<string, string>> {
  const tables = await sql()<Columns[]>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and (column_name = 'company_id' or (table_name, column_name) = ('companies', 'id'))
      and table_name <> 'key_usage' order by 1`;
  const sums: Record<string, string> = {};
  for (const { table, column } of tables) {
    const [row] = await sql()`
      select count(*)::text || ' ' || coalesce(md5(string_agg(line, '|' order by line)), '') as sum
      from (select (to_jsonb(rows) - 'counted_at')::text as line from ${sql()(table)} rows where ${sql()(column)} = ${companyId}) lines
      where line !~ '"(access.deny|denied-requests)"'`;
    sums[table] = String(row?.sum);
  }
  return sums;
}
