import type postgres from 'postgres';
import { fingerprintOf, generateKey } from '#server/keys/keys.ts';

export type AnySql = postgres.Sql | postgres.Sql<{ bigint: number }>;

/** Inserts companies, each with an owner, active employees and keys (60 requests a minute each). */
export async function insertCompanies(sql: AnySql, { companies = 1, employees = 1, keys = 1 }) {
  const rows = await sql<{ id: number; ownerId: number; employeeId: number }[]>`
    with made as (
      insert into companies (name, active_employees)
      select 'Perusahaan ' || n, ${employees} from generate_series(1, ${companies}::int) n returning id
    ), owners as (
      insert into accounts (company_id, username, name, password_hash, is_owner)
      select id, 'pemilik-' || id || '-' || gen_random_uuid(), 'Pemilik Uji', '-', true from made returning company_id, id
    ), hired as (
      insert into employees (company_id, name, role)
      select id, 'Karyawan ' || n, 'Staf' from made, generate_series(1, ${employees}::int) n returning company_id, id
    ), spans as (
      insert into employment (company_id, employee_id, from_no) select company_id, id, 0 from hired
    )
    select o.company_id as id, o.id as "ownerId",
      (select min(h.id) from hired h where h.company_id = o.company_id) as "employeeId"
    from owners o`;
  const made = rows.map((row) => ({ ...row, employees, keys: Array.from({ length: keys }, generateKey) }));
  const rowsOfKeys = made.flatMap(({ id, ownerId, keys }) =>
    keys.map((key) => ({ id, ownerId, fingerprint: fingerprintOf(key).toString('hex') })),
  );
  await sql`
    insert into api_keys (company_id, name, fingerprint, created_by)
    select id, 'kunci ' || row_number() over (), decode(fingerprint, 'hex'), "ownerId"
    from jsonb_to_recordset(${JSON.stringify(rowsOfKeys)}::text::jsonb) as k (id int, "ownerId" int, fingerprint text)`;
  return made;
}

export type SeededCompany = Awaited<ReturnType<typeof insertCompanies>>[number];
