import { expect, test } from 'vitest';
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

test('the doctor sees a service that runs, and one that does not', async () => {
  await withFreshDatabase({ isMigrated: true }, async ({ url }) => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const settings = {
      DATABASE_URL: url,
      AUTH_SECRET: authSecret,
      HOST: '127.0.0.1',
      PORT: String(port),
      APP_URL: address,
    };
    expect((await examine(settings)).find('service')).toMatchObject({ state: 'warning' });
    // Also this machine, but no name of it.
    const other = url.replace(/@[^/]+:/, '@0.0.0.0:');
    const tls = async (address: string) => (await examine({ ...settings, DATABASE_URL: address })).find('database-tls');
    expect([await tls(url), await tls(other)]).toMatchObject([{ state: 'ok' }, { state: 'warning' }]);

    const service = await startService(settings);
    try {
      const { code, ok, errors, checks, find } = await examine(settings);
      expect([code, ok, errors], JSON.stringify(checks)).toEqual([0, true, 0]);
      expect(find('disk')?.sentence).toMatch(/GB are free in/);
      const wanted = ['settings', 'node-version', 'database', 'database-version', 'database-schema', 'database-role'];
      for (const name of [...wanted, 'database-encoding', 'clock']) expect(find(name), name).toBeDefined();
      for (const name of ['service', 'proxy', 'machines', 'stream']) expect(find(name)).toMatchObject({ state: 'ok' });
    } finally {
      await service.stop();
    }
  });
});

test('the doctor names each wrong setting, an unreachable database and a superuser, with a cure for each', async () => {
  const wrong = await examine({ PORT: 'abc', PROCESSES: '2', DATABASE_URL: 'postgres://a:b@127.0.0.1/x' });
  expect(wrong).toMatchObject({ code: 1, ok: false, errors: 2 });
  expect(wrong.checks.filter(({ state }) => state === 'error').map(({ sentence }) => sentence)).toEqual([
    'PORT must be a whole number from 0 to 65535.',
    expect.stringMatching(/^PROCESSES is gone: start one service for each process/),
  ]);
  const several = await examine({ DATABASE_URL: 'postgres://a:b@127.0.0.1/x postgres://a:b@127.0.0.2/x' });
  expect(several).toMatchObject({ code: 1, errors: 1 });
  expect(several.find('settings')?.sentence).toMatch(/^DATABASE_URL has several addresses, .* docs\/scale\.md .*\.$/);
  const gone = await examine({ DATABASE_URL: `postgres://a:b@127.0.0.1:${await freePort()}/x` });
  expect([gone.code, gone.find('database')]).toMatchObject([1, { state: 'error' }]);
  const admin = await examine({ DATABASE_URL: process.env.ADMIN_DATABASE_URL ?? '', DATABASE_DIRECT_URL: undefined });
  expect(admin.find('database-role')).toMatchObject({ state: 'warning', cure: expect.stringContaining('two roles') });
  for (const { checks } of [wrong, several, gone, admin])
    for (const { state, cure, sentence } of checks)
      if (state === 'warning' || state === 'error') expect([sentence, cure ?? '']).not.toContain('');
});

test('the doctor tells a schema that is older, and one that is newer than this version', async () => {
  await withFreshDatabase({ isMigrated: true }, async ({ url, ownerUrl, admin }) => {
    const settings = { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl };
    expect((await examine(settings)).find('database-schema')).toMatchObject({ state: 'ok' });
    await admin`insert into migrations.applied (name) values ('9999_next')`;
    expect(await examine(settings)).toMatchObject({ code: 1 });
    await admin`delete from migrations.applied`;
    expect((await examine(settings)).find('database-schema')).toMatchObject({ state: 'warning' });
  });
});
