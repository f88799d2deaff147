import { createHash, randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { expect } from 'vitest';
import { connect } from '#db/driver/connect.ts';
import { migrate } from '#db/migrate.ts';
import { giveToService, ownerUrlOf } from '#db/service-role.ts';
import { type OldCompany, statementsFor, withMigrations } from '#e2e/server/earlier-schemas.ts';
import { password } from '#harness/company.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { fingerprintOf, generateKey } from '#server/keys/keys.ts';

const adminUrl = process.env.ADMIN_DATABASE_URL ?? '';

/** The token of the open invitation of an old company. */
export const token = 'b'.repeat(43);

/** The addresses of a database: as the service's role and as the schema's owner. */
export type Roles = { url: string; owner: string };

/** Calls `use` with an empty database of its own, and drops it afterwards. */
export async function withDatabase(use: (roles: Roles) => Promise<void>): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const name = `upgrade_${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`create database ${name}`);
  try {
    const url = await giveToService(adminUrl.replace(/\/postgres$/, `/${name}`));
    await use({ url, owner: ownerUrlOf(url) ?? '' });
  } finally {
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  }
}

/** Makes the values of an old company: its key, password and invitation. */
export async function makeOld(): Promise<OldCompany & { key: string }> {
  const key = generateKey();
  const tokenHash = createHash('sha256').update(token).digest();
  return { key, fingerprint: fingerprintOf(key), passwordHash: await hashPassword(password), tokenHash };
}

/** Counts the rows of each table. */
export async function countRows(sql: postgres.Sql<{ bigint: number }>): Promise<Record<string, number>> {
  const tables = await sql<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) counts[name] = (await sql`select count(*)::int as rows from ${sql(name)}`)[0]?.rows;
  return counts;
}

/**
 * Creates the database of migration number `newest`, with rows in each table. Returns the number of
 * rows by table.
 */
export async function makeAsOf(newest: number, { owner }: Roles, old: OldCompany): Promise<Record<string, number>> {
  await withMigrations(newest + 1, {}, (folder) => migrate(owner, { folder }));
  const sql = connect(owner, 1);
  for (const statement of statementsFor(newest, old)) await sql.unsafe(statement);
  const counts = await countRows(sql);
  await sql.end();
  // A later migration fills `key_uses` from a column of the keys.
  for (const [table, rows] of Object.entries(counts))
    if (newest !== 3 || table !== 'key_uses') expect([table, rows > 0]).toEqual([table, true]);
  return counts;
}
