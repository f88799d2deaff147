import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countRows, listTables } from '#db/contents.ts';
import { connect } from '#db/driver/connect.ts';
import { ownsAuditLog } from '#db/privileges.ts';
import { signInForCookie } from '#e2e/fixtures/cookie.ts';
import { withFreshDatabase } from '#e2e/fixtures/fresh-database.ts';
import { runNotif } from '#e2e/fixtures/notif.ts';
import { startPooler } from '#e2e/fixtures/pooler.ts';
import { writeByHand } from '#e2e/fixtures/sends.ts';
import { makeCompany } from '#harness/company.ts';
import { lacks } from '#harness/programs.ts';
import { root, type Service, startService } from '#harness/service.ts';

const authSecret = 'f'.repeat(40);

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-backup-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function countAll(url: string): Promise<Record<string, number>> {
  const sql = connect(url, 1);
  const counts = await countRows(sql, await listTables(sql));
  await sql.end();
  return counts;
}

async function makeLife() {
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

const send = (service: Service, key: string) =>
  fetch(`${service.url}/api/v1/notif.php`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ judul: 'Sesudah pemulihan', isi: 'Isi' }),
  });

/** Sends with one key after another until `stop`; each may send 60 times a minute. */
function sendMeanwhile(service: Service, keys: string[]) {
  const stopping = new AbortController();
  let sent = 0;
  const sending = (async () => {
    for (let at = 0; !stopping.signal.aborted && at < keys.length * 50; at++)
      if ((await send(service, keys[at % keys.length] ?? '')).status === 200) sent++;
  })();
  const stop = async () => {
    stopping.abort();
    await sending;
    return sent;
  };
  return { stop, countSent: () => sent };
}

test('a backup under load, restored, serves the same keys, people, sessions and privileges (X23)', async ({ skip }) => {
  // An older pg_dump refuses a newer server.
  skip(lacks('pg_dump 18'));
  await withFolder((folder) =>
    withFreshDatabase({ isMigrated: true }, (from) =>
      withFreshDatabase({ isMigrated: false }, async (to) => {
        const settings = { AUTH_SECRET: authSecret, HOST: '127.0.0.1' };
        const roles = (one: typeof from) => ({ ...settings, DATABASE_URL: one.url, DATABASE_OWNER_URL: one.ownerUrl });
        const { key, username } = await makeLife();
        const busy = await makeCompany('PT Sibuk');
        await busy.hire();
        const keys = await Promise.all(Array.from({ length: 40 }, () => busy.newKey()));
        const first = await startService({ ...settings, DATABASE_URL: from.url });
        const cookie = await signInForCookie(first.url, username);
        const before = await readAll(first, key, cookie);

        const load = sendMeanwhile(first, keys);
        await expect.poll(load.countSent, { timeout: 60_000 }).toBeGreaterThan(20);
        const file = join(folder, 'notif.dump');
        const written = await runNotif(['backup', file, '--json'], roles(from));
        expect(written).toMatchObject({ code: 0, problems: '' });
        const manifest = JSON.parse(written.output);
        await load.stop();
        await first.stop();
        expect(manifest).toMatchObject({ ok: true, file, tables: { companies: 2 }, database: from.name });
        expect(manifest.tables.notifications).toBeGreaterThan(20);
        for (const path of [file, `${file}.json`]) expect((await stat(path)).mode & 0o077).toBe(0);
        expect((await readdir(folder)).sort()).toEqual(['notif.dump', 'notif.dump.json']);
        expect(await runNotif(['backup', '--verify', file])).toMatchObject({
          code: 0,
          output: expect.stringContaining('is whole: 2 companies, 3 employees'),
        });

        expect(await runNotif(['restore', file], roles(to))).toMatchObject({ code: 0, problems: '' });
        expect(await countAll(to.ownerUrl)).toEqual(manifest.tables);
        // A send is whole or not there: its number, its row and its audit entry.
        const [whole] = await to.admin`
          select last_no = (select count(*) from notifications n where n.company_id = c.id) as rows,
            last_no = (select count(*) from audit_log a where a.company_id = c.id and action = 'notification.send') as entries
          from companies c where name = 'PT Sibuk'`;
        expect(whole).toEqual({ rows: true, entries: true });

        const restored = await startService(roles(to));
        try {
          // The session is among the restored rows, so the old cookie still works.
          expect(await readAll(restored, key, cookie)).toEqual(before);
          expect(await (await send(restored, key)).json()).toEqual({ ok: true, terkirim: 2 });
          expect(await ownsAuditLog(to.url)).toBe(false);
          const sql = connect(to.url, 1);
          await expect(sql`delete from audit_log`).rejects.toThrow('permission denied for table audit_log');
          await sql.end();
        } finally {
          await restored.stop();
        }
        const again = await runNotif(['restore', file], roles(to));
        expect(again).toMatchObject({ code: 1, problems: expect.stringContaining('is not empty') });
      }),
    ),
  );
});

test('a backup replaces no file, needs the owner, and goes past a pooler', async ({ skip }) => {
  skip(lacks('pg_dump 18', 'pgbouncer'));
  await withFolder((folder) =>
    withFreshDatabase({ isMigrated: true }, async (from) => {
      const settings = { AUTH_SECRET: authSecret, DATABASE_URL: from.url };
      const file = join(folder, 'notif.dump');
      await writeFile(file, 'kept');
      const existing = await runNotif(['backup', file], { ...settings, DATABASE_OWNER_URL: from.ownerUrl });
      expect(existing).toMatchObject({ code: 1, problems: expect.stringContaining('replaces no file') });
      expect(await readFile(file, 'utf8')).toBe('kept');
      const other = join(folder, 'other.dump');
      const poor = await runNotif(['backup', other, '--json'], settings);
      expect([poor.code, JSON.parse(poor.output)]).toMatchObject([1, { error: 'not-owner' }]);
      const pooler = await startPooler([from.url, from.ownerUrl]);
      try {
        const pooled = { ...settings, DATABASE_URL: pooler.urlOf(from.url) };
        const through = await runNotif(['backup', other], {
          ...pooled,
          DATABASE_OWNER_URL: pooler.urlOf(from.ownerUrl),
        });
        expect(through).toMatchObject({ code: 1, problems: expect.stringContaining('past the pooler') });
        expect(await runNotif(['backup', other], { ...pooled, DATABASE_OWNER_URL: from.ownerUrl })).toMatchObject({
          code: 0,
        });
      } finally {
        await pooler.stop();
      }
      const verified = await runNotif(['backup', '--verify', other, '--json']);
      expect(JSON.parse(verified.output)).toMatchObject({ ok: true, hasManifest: true, tables: { companies: 0 } });
      expect((await readdir(folder)).sort()).toEqual(['notif.dump', 'other.dump', 'other.dump.json']);
    }),
  );
});

test('an interrupted backup, a damaged file and a backup of a newer version leave nothing half done', async ({
  skip,
}) => {
  skip(lacks('pg_dump 18'));
  await withFolder((folder) =>
    withFreshDatabase({ isMigrated: true }, (from) =>
      withFreshDatabase({ isMigrated: false }, async (to) => {
        await makeCompany();
        const roles = (one: typeof from) => ({
          AUTH_SECRET: authSecret,
          DATABASE_URL: one.url,
          DATABASE_OWNER_URL: one.ownerUrl,
        });
        // pg_dump waits for this lock, so the signal arrives in the middle.
        await from.admin.begin(async (locking) => {
          await locking`lock table notifications in access exclusive mode`;
          const env = { ...process.env, ...roles(from) };
          const child = spawn(process.execPath, ['server/command/main.ts', 'backup', join(folder, 'cut.dump')], {
            cwd: root,
            env,
            stdio: 'ignore',
          });
          const ended = new Promise((resolve) => child.once('close', resolve));
          await expect.poll(() => readdir(folder), { timeout: 30_000 }).toHaveLength(1);
          // Of another connection: a transaction keeps what it first saw of pg_stat_activity.
          const waiting = () => to.admin`select from pg_stat_activity where wait_event_type = 'Lock'
            and datname = ${from.name}`;
          await expect.poll(async () => (await waiting()).length, { timeout: 30_000 }).toBeGreaterThan(0);
          child.kill('SIGINT');
          expect(await ended).toBe(1);
        });
        expect(await readdir(folder)).toEqual([]);

        const file = join(folder, 'notif.dump');
        expect(await runNotif(['backup', file], roles(from))).toMatchObject({ code: 0 });
        const damaged = join(folder, 'damaged.dump');
        await copyFile(file, damaged);
        const handle = await open(damaged, 'r+');
        await handle.truncate((await stat(damaged)).size - 2000);
        await handle.close();
        expect((await runNotif(['backup', '--verify', damaged])).code).toBe(1);
        expect((await runNotif(['restore', damaged], roles(to))).code).toBe(1);
        await copyFile(`${file}.json`, `${damaged}.json`);
        const verified = await runNotif(['backup', '--verify', damaged]);
        expect(verified).toMatchObject({ code: 1, problems: expect.stringContaining('its SHA-256 is not the one') });

        await from.admin`insert into drizzle.__drizzle_migrations (hash, created_at) values ('next', 9999999999999)`;
        const newer = join(folder, 'newer.dump');
        expect(await runNotif(['backup', newer], roles(from))).toMatchObject({ code: 0 });
        const refused = await runNotif(['restore', newer, '--json'], roles(to));
        expect([refused.code, JSON.parse(refused.output)]).toMatchObject([1, { error: 'newer-backup' }]);
        expect(await to.admin`select from pg_tables where schemaname in ('public', 'drizzle')`).toHaveLength(0);
      }),
    ),
  );
});

test('a missing pg_dump is named with its version, with what was found and what to install', async () => {
  await withFreshDatabase({ isMigrated: true }, async ({ url, ownerUrl }) => {
    const settings = {
      AUTH_SECRET: authSecret,
      DATABASE_URL: url,
      DATABASE_OWNER_URL: ownerUrl,
      PGBIN: '/nonexistent',
    };
    const [server] = await connectedVersion(url);
    const { code, problems } = await runNotif(['backup', '/nonexistent/x.dump'], settings);
    expect([code, problems]).toEqual([1, 'There is no folder /nonexistent.\n']);
    const missing = await runNotif(['backup', join(tmpdir(), 'never.dump')], settings);
    expect(missing.code).toBe(1);
    expect(missing.problems).toMatch(`This needs pg_dump ${server} or newer.`);
    expect(missing.problems).toMatch(`apt-get install postgresql-client-${server}`);
  });
});

async function connectedVersion(url: string): Promise<[number]> {
  const sql = connect(url, 1);
  const [row] = await sql<{ major: number }[]>`select current_setting('server_version_num')::int / 10000 as major`;
  await sql.end();
  return [row?.major ?? 0];
}
