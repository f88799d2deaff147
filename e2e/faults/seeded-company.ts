import type postgres from 'postgres';
import { fingerprintOf, generateKey } from '#server/keys/keys.ts';

/**
 * A company inserted by SQL, with enough keys for a load (60 requests a minute each) and active
 * employees.
 */
export type SeededCompany = { id: number; ownerId: number; keys: string[]; employeeId: number; employees: number };

/** Inserts a company with its owner, keys and employees. */
export async function seedCompany(
  sql: postgres.Sql | postgres.Sql<{ bigint: number }>,
  { employees = 1, keys = 1, name = 'PT Contoh' },
): Promise<SeededCompany> {
  const texts = Array.from({ length: keys }, generateKey);
  const fingerprints = texts.map((key) => fingerprintOf(key).toString('hex'));
  const [made] = await sql<{ id: number; ownerId: number }[]>`
    with company as (
      insert into companies (name, active_employees) values (${name}, ${employees}) returning id
    )
    insert into accounts (company_id, username, name, password_hash, is_owner)
    select id, 'pemilik-' || id || '-' || gen_random_uuid(), 'Pemilik Uji', '-', true from company
    returning company_id as id, id as "ownerId"`;
  if (!made) throw new Error('the company was not made');
  await sql`
    insert into api_keys (company_id, name, fingerprint, created_by)
    select ${made.id}, 'kunci ' || place, decode(fingerprint, 'hex'), ${made.ownerId}
    from unnest(${fingerprints}::text[]) with ordinality as given (fingerprint, place)`;
  const [first] = await sql<{ id: number }[]>`
    with hired as (
      insert into employees (company_id, name, role)
      select ${made.id}, 'Karyawan ' || place, 'Penguji' from generate_series(1, ${employees}::int) place
      returning company_id, id
    ), spans as (
      insert into employment (company_id, employee_id, from_no) select company_id, id, 0 from hired
    )
    select min(id) as id from hired`;
  return { ...made, keys: texts, employees, employeeId: first?.id ?? 0 };
}
