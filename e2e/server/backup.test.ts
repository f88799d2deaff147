import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { disconnect } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { migrate } from '#db/migrate.ts';
import { ownsAuditLog } from '#db/privileges.ts';
import { giveToService, ownerUrlOf } from '#db/service-role.ts';
import { signInForCookie } from '#e2e/fixtures/cookie.ts';
import { writeByHand } from '#e2e/fixtures/sends.ts';
import { makeCompany } from '#harness/company.ts';
import { lacks } from '#harness/programs.ts';
import { type Service, startService } from '#harness/service.ts';
import { adopt } from '#server/env.ts';

const run = promisify(execFile);
const adminUrl = process.env.ADMIN_DATABASE_URL ?? '';
const authSecret = 'r'.repeat(40);

async function withDatabases(use: (from: string, to: string) => Promise<void>): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const names = ['from', 'to'].map((which) => `backup_${which}_${randomUUID().replaceAll('-', '')}`);
  try {
    const [from = '', to = ''] = names;
    await admin.unsafe(`create database ${from}`);
    await admin.unsafe(`create database ${to} owner notif_owner`);
    await use(from, to);
  } finally {
    await disconnect();
    for (const name of names) await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
}

async function countRows(url: string): Promise<Record<string, number>> {
  const sql = connect(url, 1);
  const tables = await sql<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) counts[name] = (await sql`select count(*)::int as rows from ${sql(name)}`)[0]?.rows;
  await sql.end();
  return counts;
}

async function makeLife(url: string) {
  adopt({ databaseUrl: url, authSecret, appUrl: 'http://127.0.0.1' });
  const company = await makeCompany('PT Contoh');
  const employee = await company.hire('Karyawan Satu');
  await company.hire('Karyawan Dua');
  const username = await company.giveAccount(employee);
  for (const title of ['Pertama', 'Kedua']) await writeByHand(company, { title });
  await writeByHand(company, { title: 'Untuk satu', recipientId: employee.employeeId });
  return { company, key: await company.newKey('Kunci'), username };
}

async function readAll(service: Service, key: string, cookie: string): Promise<unknown[]> {
  const headers = { 'X-API-Key': key };
  const ask = async (path: string, more: Record<string, string>) =>
    (await fetch(`${service.url}${path}`, { headers: more })).json();
  return [
    await ask('/api/v1/notif.php?aksi=ping', headers),
    await ask('/api/v1/notif.php?aksi=karyawan', headers),
    await ask('/portal/inbox', { cookie }),
  ];
}

// The commands of docs/backup.md.
async function copy(from: string, to: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-backup-'));
  const file = join(folder, 'notif.dump');
  try {
    await run('pg_dump', ['--format=custom', `--file=${file}`, from]);
    await run('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${to}`, file]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkCopy(from: string, to: string): Promise<void> {
  const url = await giveToService(adminUrl.replace(/\/postgres$/, `/${from}`));
  const owner = ownerUrlOf(url) ?? '';
  await migrate(url, { ownerUrl: owner });
  const [copyUrl, copyOwner] = [url, owner].map((one) => one.replace(`/${from}`, `/${to}`)) as [string, string];
  const settings = { AUTH_SECRET: authSecret, HOST: '127.0.0.1' };
  const { key, username } = await makeLife(url);
  const first = await startService({ ...settings, DATABASE_URL: url });
  const cookie = await signInForCookie(first.url, username);
  const before = await readAll(first, key, cookie);
  await first.stop();
  const counts = await countRows(url);
  await copy(owner, copyOwner);

  const restored = await startService({ ...settings, DATABASE_URL: copyUrl, DATABASE_OWNER_URL: copyOwner });
  try {
    expect(await countRows(copyUrl)).toEqual(counts);
    // The session is among the restored rows, so the old cookie still works.
    expect(await readAll(restored, key, cookie)).toEqual(before);
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ judul: 'Sesudah pemulihan', isi: 'Isi' });
    const sent = await fetch(`${restored.url}/api/v1/notif.php`, { method: 'POST', headers, body });
    expect(await sent.json()).toEqual({ ok: true, terkirim: 2 });
    expect(await ownsAuditLog(copyUrl)).toBe(false);
    const sql = connect(copyUrl, 1);
    await expect(sql`delete from audit_log`).rejects.toThrow('permission denied for table audit_log');
    await sql.end();
  } finally {
    await restored.stop();
  }
}

test('a restored pg_dump serves the same keys, people, inboxes, sessions and privileges (X23)', async ({ skip }) => {
  // An older pg_dump refuses a newer server.
  skip(lacks('pg_dump 18'));
  await withDatabases(checkCopy);
});
