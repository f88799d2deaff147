import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countRows, listTables } from '#db/contents.ts';
import { connect } from '#db/driver/connect.ts';
import { startEmbedded } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { sessionCookie } from '#e2e/fixtures/cookie.ts';
import { withFreshDatabase } from '#e2e/fixtures/fresh-database.ts';
import { runNotif } from '#e2e/fixtures/notif.ts';
import { listMigrations, statementsFor, withMigrations } from '#e2e/server/earlier-schemas.ts';
import { makeOld } from '#e2e/server/old-databases.ts';
import { noteSecret } from '#harness/secrets.ts';
import { freePort, startService } from '#harness/service.ts';

const trialOnly = { DATABASE_URL: undefined, AUTH_SECRET: undefined, APP_URL: undefined };

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-move-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens the stopped trial's database for `use`. */
async function inTrial<Result>(
  folder: string,
  use: (url: string, ownerUrl: string) => Promise<Result>,
): Promise<Result> {
  const embedded = await startEmbedded(folder);
  try {
    return await use(embedded.url, ownerUrlOf(embedded.url) ?? '');
  } finally {
    await embedded.stop();
  }
}

async function countAll(url: string): Promise<Record<string, number>> {
  const sql = connect(url, 1);
  const counts = await countRows(sql, await listTables(sql));
  await sql.end();
  return counts;
}

test('a trial moves to an own PostgreSQL: sign-ins, sessions, keys and history go on, the trial stays', async () => {
  await withFolder((folder) =>
    withFreshDatabase({ isMigrated: false }, async (to) => {
      const settings = { DATA_DIR: folder, PORT: String(await freePort()) };
      const start = () =>
        startService(settings, ['server/main.ts'], /only its fingerprint|was shown at the first start/);
      const trial = await start();
      const { signIns } = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
      const { username, password } = signIns.find((one: { username: string }) => one.username === 'karyawan1');
      const key = /X-API-Key: ([^']+)'/.exec(trial.output())?.[1] ?? '';
      for (const secret of [key, password]) noteSecret(secret);
      const signIn = async (url: string) => {
        const body = JSON.stringify({ username, password });
        return sessionCookie(
          await fetch(`${url}/api/auth/sign-in`, { method: 'POST', headers: { origin: url }, body }),
        );
      };
      const cookie = await signIn(trial.url);
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
      const send = (url: string, title: string) =>
        fetch(`${url}/api/v1/notif.php`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ judul: title, isi: 'Isi' }),
        });
      expect((await send(trial.url, 'Pertama')).status).toBe(200);
      const inboxOf = async (url: string) => (await fetch(`${url}/portal/inbox`, { headers: { cookie } })).json();
      const before = await inboxOf(trial.url);
      const target = { ...trialOnly, DATABASE_URL: to.url, DATABASE_OWNER_URL: to.ownerUrl };
      const busy = await runNotif(['move', folder], target);
      expect(busy).toMatchObject({ code: 1, problems: expect.stringContaining('Stop it first') });
      await trial.stop();

      const file = join(folder, 'settings.env');
      const moved = await runNotif(['move', folder, '--write-settings', file, '--json'], target);
      expect(moved).toMatchObject({ code: 0, problems: '' });
      const secret = (await readFile(join(folder, 'auth-secret'), 'utf8')).trim();
      noteSecret(secret);
      expect(await readFile(file, 'utf8')).toContain(`AUTH_SECRET='${secret}'`);
      expect((await stat(file)).mode & 0o077).toBe(0);
      const counts = await countAll(to.ownerUrl);
      expect(JSON.parse(moved.output)).toMatchObject({ ok: true, tables: counts });
      expect(await inTrial(folder, (url) => countAll(url))).toEqual(counts);

      const service = await startService({ DATABASE_URL: to.url, AUTH_SECRET: secret, HOST: '127.0.0.1' });
      try {
        expect(await inboxOf(service.url)).toEqual(before);
        expect(await (await send(service.url, 'Kedua')).json()).toEqual({ ok: true, terkirim: 4 });
        expect(await signIn(service.url)).not.toBe('');
      } finally {
        await service.stop();
      }
      const again = await runNotif(['move', folder], target);
      expect(again).toMatchObject({ code: 1, problems: expect.stringMatching(/is not empty: \S+, .* have rows/) });
      // A trial that was moved can be started again.
      const restarted = await start();
      expect(await inboxOf(restarted.url)).toEqual(before);
      await restarted.stop();
    }),
  );
}, 300_000);

test('rows of every table of an older trial move, and the trial keeps its older schema', async () => {
  const newest = (await listMigrations()).length - 2;
  await withFolder((folder) =>
    withFreshDatabase({ isMigrated: false }, async (to) => {
      const old = await makeOld();
      const counts = await inTrial(folder, async (_url, owner) => {
        await withMigrations(newest + 1, {}, (migrations) => migrate(owner, { folder: migrations }));
        const sql = connect(owner, 1);
        for (const statement of statementsFor(newest, old)) await sql.unsafe(statement);
        await sql.end();
        return countAll(owner);
      });
      await writeFile(join(folder, 'auth-secret'), randomUUID() + randomUUID());
      const target = { ...trialOnly, DATABASE_URL: to.url, DATABASE_OWNER_URL: to.ownerUrl };
      const { code, output, problems } = await runNotif(['move', folder], target);
      expect([code, problems]).toEqual([0, '']);
      expect(output).toContain(`AUTH_SECRET = the content of ${join(folder, 'auth-secret')}`);
      expect(await countAll(to.ownerUrl)).toMatchObject(counts);
      const applied = await to.admin`select from drizzle.__drizzle_migrations`;
      expect(applied).toHaveLength(newest + 2);
      const [kept] = await inTrial(folder, async (_url, owner) => {
        const sql = connect(owner, 1);
        const rows = await sql`select count(*)::int as count from drizzle.__drizzle_migrations`;
        await sql.end();
        return rows;
      });
      expect(kept).toEqual({ count: newest + 1 });
    }),
  );
}, 300_000);
