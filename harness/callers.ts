import { disconnect, sql } from '#db/client.ts';
import { benchSecret } from '#harness/stage.ts';
import { createCompany } from '#server/companies/companies.ts';
import { adopt } from '#server/env.ts';
import { fingerprintOf, generateKey } from '#server/keys/keys.ts';

/** A key and an employee of its company. */
export type Caller = { key: string; userId: number };

/** What a measurement wants: how many companies, employees in each (1 or more) and keys in each. */
export type Wanted = { companies: number; employees: number; keys: number };

/** From now on the domain's functions, called in this process, work on this database. */
export async function enterDatabase(url: string): Promise<void> {
  await disconnect();
  adopt({ databaseUrl: url, authSecret: benchSecret, appUrl: 'http://127.0.0.1' });
}

/**
 * Companies as the service would keep them, with active employees and keys, and who may call for them. Neighbours in the list are of
 * different companies, as callers of a real service are.
 */
export async function makeCallers(url: string, wanted: Wanted): Promise<Caller[]> {
  await enterDatabase(url);
  const ofCompanies: Caller[][] = [];
  for (let at = 0; at < wanted.companies; at++) ofCompanies.push(await makeCompany(wanted));
  return Array.from({ length: wanted.keys }, (_, place) =>
    ofCompanies.flatMap((callers) => callers[place] ?? []),
  ).flat();
}

let made = 0;

async function makeCompany({ employees, keys }: Wanted): Promise<Caller[]> {
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
