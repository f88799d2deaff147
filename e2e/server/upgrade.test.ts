import { expect, test } from 'vitest';
import { connect } from '#db/driver/connect.ts';
import { migrate } from '#db/migrate.ts';
import { signInForCookie } from '#e2e/fixtures/cookie.ts';
import { listMigrations, withMigrations } from '#e2e/server/earlier-schemas.ts';
import { countRows, makeAsOf, makeOld, token, withDatabase } from '#e2e/server/old-databases.ts';
import { startService } from '#harness/service.ts';

const all = await listMigrations();

test.each(all.slice(0, -1).map((tag, newest) => [tag, newest] as const))(
  'a database as migration %s left it is migrated and keeps all its rows',
  async (_, newest) => {
    const old = await makeOld();
    await withDatabase(async (roles) => {
      const before = await makeAsOf(newest, roles, old);
      await migrate(roles.url, { ownerUrl: roles.owner });
      // The service's role may read each table. A push subscription stays where its session is known.
      const sql = connect(roles.url, 1);
      const devices = newest < 3 ? 0 : 1;
      expect(await countRows(sql)).toMatchObject({ ...before, key_uses: 1, push_subscriptions: devices });
      const [key] = await sql`select name, fingerprint, revoked_at, must_confirm, u.last_at is not null as used
      from api_keys k join key_uses u on u.company_id = k.company_id and u.key_id = k.id`;
      expect(key).toEqual({
        name: 'Kunci Lama',
        fingerprint: old.fingerprint,
        revoked_at: null,
        must_confirm: false,
        used: true,
      });
      const entries = await sql`select action, key_id, employee_id from audit_log order by id`;
      const told =
        newest < 4
          ? [
              { key_id: 1, employee_id: null },
              { key_id: 1, employee_id: 1 },
            ]
          : [{}, {}];
      expect(entries).toMatchObject([
        { action: 'key.create', ...told[0] },
        { action: 'notification.send', ...told[1] },
      ]);
      await sql.end();
    });
  },
);

test('a service starts on a database of the first release and serves its key, inbox and invitation', async () => {
  const old = await makeOld();
  await withDatabase(async (roles) => {
    await makeAsOf(0, roles, old);
    const settings = { DATABASE_URL: roles.url, DATABASE_OWNER_URL: roles.owner };
    const service = await startService({ ...settings, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1' });
    try {
      const ask = async (aksi: string) =>
        (await fetch(`${service.url}/api/v1/notif.php?aksi=${aksi}`, { headers: { 'X-API-Key': old.key } })).json();
      expect(await ask('ping')).toEqual({ ok: true, key: 'Kunci Lama', perusahaan: 'PT Lama' });
      expect(await ask('karyawan')).toMatchObject({ karyawan: [{ nama: 'Karyawan Satu' }, { nama: 'Karyawan Dua' }] });
      const cookie = await signInForCookie(service.url, 'karyawan-lama');
      const inbox = await fetch(`${service.url}/portal/inbox`, { headers: { cookie } });
      expect(await inbox.json()).toMatchObject({
        items: [
          { title: 'Untuk satu', body: 'Isi lama', read: false },
          { title: 'Untuk semua', body: 'Isi lama', read: true },
        ],
      });
      expect(await (await fetch(`${service.url}/invite/${token}`)).text()).toContain('Karyawan Dua');
    } finally {
      await service.stop();
    }
  });
});

test('a push subscription that several sessions may have made is deleted by the migration', async () => {
  const old = await makeOld();
  await withDatabase(async (roles) => {
    await makeAsOf(6, roles, old);
    const sql = connect(roles.owner, 1);
    await sql`insert into push_subscriptions (company_id, employee_id, endpoint_hash, endpoint, p256dh, auth, session_version)
      values (1, 1, 'later', 'https://push.example.com/2', 'p', 'a', 1)`;
    await sql`insert into sessions (company_id, account_id, expires_at, address, client)
      values (1, 2, now() + interval '30 days', '192.0.2.2', 'Peramban lain')`;
    await sql`update push_subscriptions set created_at = now() where endpoint_hash = 'later'`;
    await migrate(roles.url, { ownerUrl: roles.owner });
    expect(await sql`select endpoint, session_id from push_subscriptions`).toEqual([
      { endpoint: 'https://push.example.com/1', session_id: 1 },
    ]);
    await sql.end();
  });
});

test('a failed migration changes nothing, undoes those before it, and is named in the error', async () => {
  await withDatabase(async ({ url, owner }) => {
    await withMigrations(2, {}, (folder) => migrate(owner, { folder }));
    const broken =
      'CREATE TABLE "half" ("id" integer);--> statement-breakpoint\nALTER TABLE "missing" ADD COLUMN "x" integer;';
    await withMigrations(all.length, { '9999_break_things': broken }, async (folder) => {
      await expect(migrate(url, { ownerUrl: owner, folder })).rejects.toThrow(
        'migration 9999_break_things failed: relation "missing" does not exist',
      );
    });
    const sql = connect(owner, 1);
    const counts = await countRows(sql);
    expect(Object.keys(counts)).not.toContain('half');
    expect(Object.keys(counts)).not.toContain('portals');
    expect((await sql`select count(*)::int as done from drizzle.__drizzle_migrations`)[0]).toEqual({ done: 2 });
    await sql.end();
    await migrate(url, { ownerUrl: owner });
  });
});

test('processes that start together run each migration once (X13)', async () => {
  await withDatabase(async ({ url, owner }) => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(url, { ownerUrl: owner })));
    const sql = connect(owner, 1);
    expect((await sql`select count(*)::int as done from drizzle.__drizzle_migrations`)[0]).toEqual({
      done: all.length,
    });
    await sql.end();
  });
});
