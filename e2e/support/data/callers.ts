import { disconnect, sql } from '#db/client.ts';
import { benchSecret } from '#e2e/support/service/stage.ts';
import { adopt } from '#platform/config/settings.ts';
import { createCompany } from '#server/companies/companies.ts';
import { fingerprintOf, generateKey } from '#server/keys/keys.ts';

/** A key and an employee of its company. */
export type Caller = { key: string; userId: number };

/** How many companies to create, with how many employees (1 or more) and keys each. */
export type CallerCounts = { companies: number; employees: number; keys: number };

/** Makes the domain's functions in this process use a database. */
export async function enterDatabase(url: string): Promise<void> {
  await disconnect();
  adopt({ databaseUrl: url, authSecret: benchSecret, appUrl: 'http://127.0.0.1' });
}

/**
 * Creates companies with active employees and keys, and returns a caller per key. Neighbours in the
 * list belong to different companies, as in real traffic.
 */
export async function makeCallers(url: string, counts: CallerCounts): Promise<Caller[]> {
  await enterDatabase(url);
  const ofCompanies: Caller[][] = [];
  for (let at = 0; at < counts.companies; at++) ofCompanies.push(await makeCompany(counts));
  return Array.from({ length: counts.keys }, (_, place) =>
    ofCompanies.flatMap((callers) => callers[place] ?? []),
  ).flat();
}

let made = 0;

async function makeCompany({ employees, keys }: CallerCounts): Promise<Caller[]> {
  const name = `beban-${++made}`;
  const about = { companyName: `Perusahaan ${name}`, ownerName: 'Pemilik Beban', username: name };
  const owner = await createCompany({ ...about, timeZone: 'Asia/Jakarta', password: 'kata sandi beban 123' });
  if (typeof owner === 'string') throw new Error(owner);
  const { companyId } = owner;
  const [first] = await sql()<{ id: number }[]>`
    with hired as (
      insert into employees (company_id, name, role)
      select ${companyId}, 'Karyawan ' || place, 'Penguji' from generate_series(1, ${employees}::int) place returning id
    ), spans as (
      insert into employment (company_id, employee_id, from_no) select ${companyId}, id, 0 from hired
    ), counted as (
      update companies set active_employees = ${employees} where id = ${companyId}
    )
    select min(id) as id from hired`;
  const texts = Array.from({ length: keys }, generateKey);
  await sql()`
    insert into api_keys (company_id, name, fingerprint, created_by)
    select ${companyId}, 'kunci ' || place, decode(fingerprint, 'hex'), ${owner.accountId}
    from unnest(${texts.map((key) => fingerprintOf(key).toString('hex'))}::text[]) with ordinality
      as k (fingerprint, place)`;
  return texts.map((key) => ({ key, userId: first?.id ?? 0 }));
}
