import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { certificateFiles } from '#e2e/support/proxies/certificates/certificates.ts';
import { withFreshDatabase } from '#e2e/support/service/databases.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { freePort, startService } from '#e2e/support/service/service.ts';

type Finding = { name: string; state: string; sentence: string; cure?: string };

const authSecret = 'f'.repeat(40);

async function examine(settings: Record<string, string | undefined>) {
  const { code, output } = await runNotif(['doctor', '--json'], { AUTH_SECRET: authSecret, ...settings });
  const { ok, errors, checks } = JSON.parse(output) as { ok: boolean; errors: number; checks: Finding[] };
  const find = (name: string) => checks.find((one) => one.name === name);
  return { code, ok, errors, checks, find };
}

test('the doctor sees a service that runs, one that does not, and one on another database', async () => {
  await withFreshDatabase({ isMigrated: true }, async ({ url }) => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const own = { HOST: '127.0.0.1', PORT: String(port), APP_URL: address };
    const settings = { DATABASE_URL: url, AUTH_SECRET: authSecret, ...own };
    // 0.0.0.0 leads to this machine too, but it is not one of its names.
    const other = { ...settings, DATABASE_URL: url.replace(/@[^/]+:/, '@0.0.0.0:') };
    const [before, beside] = await Promise.all([settings, other].map(examine));
    expect(before?.find('service')).toMatchObject({ state: 'warning' });
    const tls = [before, beside].map((one) => one?.find('database-tls'));
    expect(tls).toMatchObject([{ state: 'ok' }, { state: 'warning' }]);

    const service = await startService(settings);
    try {
      const [{ code, ok, errors, checks, find }, withContact, elsewhere] = await Promise.all([
        examine(settings),
        examine({ ...settings, PUSH_CONTACT: 'operator@example.com' }),
        examine({ ...settings, DATABASE_URL: url.replace(/[^/]+$/, 'postgres') }),
      ]);
      expect([code, ok, errors], JSON.stringify(checks)).toEqual([0, true, 0]);
      expect(find('disk')?.sentence).toMatch(/GB are free in/);
      const wanted = ['settings', 'node-version', 'database', 'database-version', 'database-schema', 'database-role'];
      for (const name of [...wanted, 'database-encoding', 'clock']) expect(find(name), name).toBeDefined();
      for (const name of ['service', 'proxy', 'machines', 'stream']) expect(find(name)).toMatchObject({ state: 'ok' });
      expect(find('app-url')).toMatchObject({ state: 'warning', cure: expect.stringContaining('https') });
      expect(find('push-contact')).toMatchObject({ state: 'warning', cure: expect.stringContaining('PUSH_CONTACT') });
      expect(withContact.find('push-contact')).toBeUndefined();
      expect(find('other-database')).toBeUndefined();
      expect(elsewhere.find('other-database')).toMatchObject({ state: 'error' });
    } finally {
      await service.stop();
    }
  });
});

test('a certificate that this machine does not trust is named, and not that the service does not run', async () => {
  const { key, certificate } = certificateFiles;
  const tls = { key: await readFile(key), cert: await readFile(certificate) };
  const proxy = createServer(tls, (_, response) => response.end());
  const port = await freePort();
  await once(proxy.listen(port, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  await withFreshDatabase({ isMigrated: true }, async ({ url }) => {
    const { find } = await examine({ DATABASE_URL: url, APP_URL: `https://localhost:${port}` });
    const unverified = expect.stringContaining('UNABLE_TO_VERIFY');
    expect(find('service')).toMatchObject({ state: 'skipped', sentence: unverified });
    expect(find('proxy')).toMatchObject({ state: 'warning', cure: expect.stringContaining('certificate') });
  });
});

test('the doctor names each wrong setting, an unreachable database and a superuser, with a cure for each', async () => {
  const [wrong, several, gone, admin] = await Promise.all([
    examine({ PORT: 'abc', METRICS_PORT: 'x', DATABASE_URL: 'postgres://a:b@127.0.0.1/x' }),
    examine({ DATABASE_URL: 'postgres://a:b@127.0.0.1/x postgres://a:b@127.0.0.2/x' }),
    examine({ DATABASE_URL: `postgres://a:b@127.0.0.1:${await freePort()}/x` }),
    examine({ DATABASE_URL: process.env.ADMIN_DATABASE_URL ?? '', DATABASE_DIRECT_URL: undefined }),
  ]);
  expect(wrong).toMatchObject({ code: 1, ok: false, errors: 2 });
  expect(wrong.checks.filter(({ state }) => state === 'error').map(({ sentence }) => sentence)).toEqual([
    'PORT must be a whole number from 0 to 65535.',
    'METRICS_PORT must be a whole number from 1 to 65535.',
  ]);
  expect(several).toMatchObject({ code: 1, errors: 1 });
  expect(several.find('settings')?.sentence).toMatch(/^DATABASE_URL has several addresses, .* docs\/scale\.md .*\.$/);
  expect([gone.code, gone.find('database')]).toMatchObject([1, { state: 'error' }]);
  expect(admin.find('database-role')).toMatchObject({ state: 'warning', cure: expect.stringContaining('two roles') });
  for (const { checks } of [wrong, several, gone, admin])
    for (const { state, cure, sentence } of checks)
      if (state === 'warning' || state === 'error') expect([sentence, cure ?? '']).not.toContain('');
});

test('the doctor finds a wrong owner, lost rights, and a schema that is restored, older or newer', async () => {
  await withFreshDatabase({ isMigrated: true }, async ({ url, ownerUrl, adminUrl, admin }) => {
    const settings = { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl };
    const findWith = async (more: Record<string, string>, name: string) =>
      (await examine({ ...settings, ...more })).find(name);
    const wrong = Object.assign(new URL(ownerUrl), { password: 'wrong' }).href;
    const other = Object.assign(new URL(adminUrl), { pathname: '/postgres' }).href;
    const owners = [ownerUrl, wrong, other, url];
    const found = owners.map((DATABASE_OWNER_URL) => findWith({ DATABASE_OWNER_URL }, 'database-owner'));
    const [right, ...refused] = await Promise.all(found);
    expect(right).toBeUndefined();
    expect(refused).toMatchObject([
      { state: 'error', cure: 'Check user, password and database name in DATABASE_OWNER_URL.' },
      { sentence: expect.stringContaining('another database') },
      { sentence: expect.stringContaining('does not own the schema') },
    ]);

    await admin`revoke insert on notifications from notif_service`;
    expect(await findWith({}, 'database-rights')).toMatchObject({
      state: 'error',
      sentence: 'The role notif_service lacks rights (42501): insert on public.notifications.',
      cure: expect.stringContaining('notif migrate'),
    });
    // The state after a restore without privileges.
    await admin`revoke all on schema public, migrations from notif_service`;
    await admin`revoke all on all tables in schema public, migrations from notif_service`;
    const restored = await examine(settings);
    expect(restored.find('database-rights')?.sentence).toMatch(/delete on public\.build_files, .* and \d+ more\.$/);
    const cures = restored.checks.filter(({ state }) => state === 'error').map(({ cure }) => cure ?? '');
    expect(cures.filter((cure) => !cure.includes('notif migrate'))).toEqual([]);
    expect(await runNotif(['migrate'], { AUTH_SECRET: authSecret, ...settings })).toMatchObject({ code: 0 });
    const migrated = await examine(settings);
    expect([migrated.errors, migrated.find('database-schema')]).toMatchObject([0, { state: 'ok' }]);
    await admin`insert into migrations.applied (name) values ('9999_next')`;
    const newer = await examine(settings);
    expect([newer.code, newer.find('database-schema')]).toMatchObject([0, { state: 'warning' }]);
    await admin`delete from migrations.applied`;
    expect(await findWith({}, 'database-schema')).toMatchObject({ state: 'warning' });
  });
});
