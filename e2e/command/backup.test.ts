import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { connect, type Sql, withConnection } from '#db/driver/connect.ts';
import { ownsAuditLog } from '#db/privileges.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { toOne, writeManualDraft } from '#e2e/support/data/sends.ts';
import { requestSignIn, sessionCookie } from '#e2e/support/http/cookie.ts';
import { sendTo } from '#e2e/support/http/interface.ts';
import { lacks, programPath } from '#e2e/support/programs.ts';
import { startProgram } from '#e2e/support/running.ts';
import { type FreshDatabase, withFreshDatabase } from '#e2e/support/service/databases.ts';
import { noteSecret } from '#e2e/support/service/secrets.ts';
import { freePort, root, type Service, startService } from '#e2e/support/service/service.ts';

const authSecret = 'f'.repeat(40);

/** The lines that docs/backup.md prints below a heading. */
async function printedLines(heading: string): Promise<string> {
  const page = await readFile(join(root, 'docs', 'backup.md'), 'utf8');
  const section = page.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines]) => lines).join('');
}

/** Calls `use` with an empty folder that has `notif` in its `bin`. */
async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-backup-'));
  try {
    await mkdir(join(folder, 'bin'));
    await symlink(join(root, 'bin', 'notif'), join(folder, 'bin', 'notif'));
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs lines of the page in a folder as an operator would, with these settings only. */
async function run(lines: string, folder: string, settings: Record<string, string>) {
  const env = { PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter), LC_ALL: 'C', ...settings };
  const options = { cwd: folder, env, extendEnv: false, reject: false } as const;
  const { exitCode, stderr } = await execa('sh', ['-euc', lines], options);
  return { code: exitCode, problems: stderr };
}

const own = { AUTH_SECRET: authSecret, HOST: '127.0.0.1' };
const settingsOf = ({ url, ownerUrl }: FreshDatabase) => ({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, ...own });

const send = (url: string, key: string, title: string) => sendTo(url, key, { judul: title, isi: 'Isi' });

async function readAll({ url }: Service, key: string, cookie: string): Promise<unknown[]> {
  const ask = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${url}${path}`, { headers })).json();
  return [
    await ask('/api/v1/notif.php?aksi=ping', { 'X-API-Key': key }),
    await ask('/api/v1/notif.php?aksi=karyawan', { 'X-API-Key': key }),
    await ask('/portal/inbox', { cookie }),
  ];
}

async function countAll(sql: Sql): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) counts[name] = (await sql`select count(*)::int as rows from ${sql(name)}`)[0]?.rows;
  return counts;
}

/** Sends with one key after another until `stop`; each may send 60 times a minute. */
function sendMeanwhile(service: Service, keys: string[]) {
  const stopping = new AbortController();
  let sent = 0;
  const sending = (async () => {
    for (let index = 0; !stopping.signal.aborted && index < keys.length * 50; index++)
      if ((await send(service.url, keys[index % keys.length] ?? '', 'Meanwhile')).status === 200) sent++;
  })();
  const stop = async () => {
    stopping.abort();
    await sending;
  };
  return { stop, countSent: () => sent };
}

test('printed lines back up under load; keys, people, sessions and privileges come back (X23)', async ({ skip }) => {
  // An older pg_dump refuses a newer server.
  skip(lacks('pg_dump 18'));
  await withFolder((folder) =>
    withFreshDatabase({ isMigrated: true }, (from) =>
      withFreshDatabase({ isMigrated: false }, async (to) => {
        const company = await makeCompany('PT Contoh');
        const employee = await company.hire('Karyawan Satu');
        const username = await company.giveAccount(employee);
        const key = await company.newKey('Kunci');
        await writeManualDraft(company, { title: 'Untuk satu', ...toOne(employee.employeeId) });
        const busy = await makeCompany('PT Sibuk');
        await busy.hire();
        const keys = await busy.newKeys(40);
        const first = await startService(settingsOf(from));
        const cookie = await openSessionOf(username);
        const before = await readAll(first, key, cookie);
        const load = sendMeanwhile(first, keys);
        await expect.poll(load.countSent, { timeout: 60_000 }).toBeGreaterThan(20);
        expect(await run(await printedLines('Back up'), folder, settingsOf(from))).toEqual({ code: 0, problems: '' });
        await load.stop();
        await first.stop();

        expect(await run(await printedLines('Restore'), folder, settingsOf(to))).toEqual({ code: 0, problems: '' });
        // The backup has all of a send (number, row, audit entry) or nothing.
        const [whole] = await to.admin`
          select last_no = (select count(*) from notifications n where n.company_id = c.id) as rows,
            last_no = (select count(*) from audit_log a where a.company_id = c.id and action = 'notification.send') as entries
          from companies c where name = 'PT Sibuk'`;
        expect(whole).toEqual({ rows: true, entries: true });
        const restored = await startService(settingsOf(to));
        try {
          // The session is among the restored rows, so the old cookie still works.
          expect(await readAll(restored, key, cookie)).toEqual(before);
          expect(await (await send(restored.url, key, 'Sesudah')).json()).toEqual({ ok: true, terkirim: 1 });
          expect(await ownsAuditLog(to.url)).toBe(false);
          const sql = connect(to.url, 1);
          await expect(sql`delete from audit_log`).rejects.toThrow('permission denied for table audit_log');
          await sql.end();
        } finally {
          await restored.stop();
        }
        expect(await run(await printedLines('Restore'), folder, settingsOf(to)), 'it is not empty').toMatchObject({
          code: 1,
        });
      }),
    ),
  );
});

test('the printed lines move a trial to another PostgreSQL: keys, sign-ins, sessions and rows', async ({ skip }) => {
  skip(lacks('pg_dump 18'));
  await withFolder((folder) =>
    withFreshDatabase({ isMigrated: false }, async (to) => {
      const dataDir = join(folder, '.data');
      const settings = { DATA_DIR: dataDir, PORT: String(await freePort()) };
      const trial = await startService(settings, ['server/main.js'], /only its fingerprint/);
      const { signIns } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
      const { username, password } = signIns.find((one: { username: string }) => one.username === 'karyawan1');
      const key = /X-API-Key: ([^']+)'/.exec(trial.output())?.[1] ?? '';
      for (const secret of [key, password]) noteSecret(secret);
      const signIn = (url: string) => requestSignIn(url, username, {}, password);
      const cookie = sessionCookie(await signIn(trial.url));
      expect((await send(trial.url, key, 'Pertama')).status).toBe(200);
      const before = await readAll(trial, key, cookie);
      const { databaseUrl } = JSON.parse(await readFile(join(dataDir, 'instance.json'), 'utf8')).reach;
      // The service writes the traces of a call a second later.
      const countTrial = () => withConnection(databaseUrl, countAll);
      await expect.poll(countTrial).toMatchObject({ key_uses: 1, key_traffic: 1 });
      expect(await run(await printedLines('A trial'), folder, settings)).toEqual({ code: 0, problems: '' });
      const counts = await countTrial();
      await trial.stop();

      const secret = (await readFile(join(dataDir, 'auth-secret'), 'utf8')).trim();
      noteSecret(secret);
      const moved = { ...settingsOf(to), AUTH_SECRET: secret };
      expect(await run(await printedLines('Restore'), folder, moved)).toEqual({ code: 0, problems: '' });
      expect(await withConnection(to.url, countAll)).toEqual(counts);
      const service = await startService(moved);
      try {
        expect(await readAll(service, key, cookie)).toEqual(before);
        expect((await signIn(service.url)).status).toBe(204);
      } finally {
        await service.stop();
      }
    }),
  );
});

// Debian's own PostgreSQL and its tools, whichever version this machine has.
const cluster = `notif${randomBytes(4).toString('hex')}`;
const env = { PATH: programPath, LC_ALL: 'C' };

const runProgram = (program: string, ...args: string[]) => execa(program, args, { env, extendEnv: false, all: true });

test.skipIf(lacks('pg_restorecluster'))(
  'the printed lines bring a cluster back to a point in time, from what Debian’s units keep (X23)',
  { timeout: 120_000 },
  async () => {
    const version = (await readdir('/usr/lib/postgresql')).sort().at(-1) ?? '';
    const backups = `/var/backups/postgresql/${version}-${cluster}`;
    const query = async (name: string, sql: string) =>
      (await runProgram('runuser', '-u', 'postgres', '--', 'psql', '--cluster', `${version}/${name}`, '-XAtqc', sql))
        .stdout;
    await runProgram('pg_createcluster', '--start', version, cluster);
    try {
      // What the units pg_receivewal@ and pg_basebackup@ run.
      await runProgram('pg_backupcluster', `${version}-${cluster}`, 'createdirectory');
      const receiving = startProgram('pg_backupcluster', [`${version}-${cluster}`, 'receivewal'], { env });
      await expect
        .poll(() => query(cluster, 'select count(*) from pg_stat_replication'), { timeout: 20_000 })
        .toBe('1');
      await runProgram('pg_backupcluster', `${version}-${cluster}`, 'basebackup');
      await query(cluster, "create table sends (title text); insert into sends values ('before')");
      const at = await query(cluster, 'select clock_timestamp()');
      await query(cluster, "insert into sends values ('mistake')");
      await query(cluster, 'select pg_switch_wal()');
      const isReceived = () =>
        query(cluster, 'select bool_and(flush_lsn >= pg_current_wal_lsn()) from pg_stat_replication');
      await expect.poll(isReceived, { timeout: 20_000 }).toBe('t');
      await receiving.stop(10_000);

      const printed = (await printedLines('A point in time'))
        .replace(/at='[^']*'/, `at='${at}'`)
        .replaceAll('17-main', `${version}-${cluster}`)
        .replace('17 restored', `${version} ${cluster}r`);
      await runProgram('sh', '-euc', printed);
      expect(await query(`${cluster}r`, 'select title from sends')).toBe('before');
      expect(await query(cluster, 'select count(*) from sends')).toBe('2');
    } finally {
      for (const name of [`${cluster}r`, cluster])
        await runProgram('pg_dropcluster', '--stop', version, name).catch(() => {});
      await rm(backups, { recursive: true, force: true });
    }
  },
);
