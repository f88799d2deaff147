import postgres from 'postgres';
import { insertCompanies } from '#e2e/support/data/seeded.ts';

/** A key and an employee of its company. */
export type Caller = { key: string; userId: number };

/** Inserts companies with keys. Returns a caller for each key; neighbours are of different companies. */
export async function insertCallers(adminUrl: string, counts: { companies: number; keys: number }): Promise<Caller[]> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const made = await insertCompanies(sql, counts);
  await sql`analyze`;
  await sql.end();
  const callersAt = (place: number) =>
    made.map(({ employeeId, keys }) => ({ key: keys[place] ?? '', userId: employeeId }));
  return Array.from({ length: counts.keys }, (_, place) => callersAt(place)).flat();
}
