import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { startService } from '#e2e/support/service/service.ts';

const settings = { AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1' };
const trusting = { ...settings, DATABASE_DURABILITY: 'provider' };
const trusted = 'DATABASE_DURABILITY=provider: the storage of the provider is trusted';

test('a start on a database that could lose sends is refused and names the setting (X9)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-durability-'));
  const database = await startEmbedded(folder);
  const admin = postgres(database.adminUrl, { max: 1 });
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    await admin.unsafe(`alter system set ${name} = off`);
    await admin`select pg_reload_conf()`;
    await expect.poll(async () => (await admin`select current_setting(${name}) as now`)[0]?.now).toBe('off');
    const refused = await startService({ ...settings, DATABASE_URL: database.url });
    expect(refused.process.exitCode).toBe(1);
    expect(refused.output()).toContain(`DATABASE_URL: the database runs with ${name} = off and could lose`);
    // Of these three, a provider's storage may replace two.
    const isOfStorage = name !== 'synchronous_commit';
    expect(refused.output().includes('Only if it belongs to a provider')).toBe(isOfStorage);
    const withProvider = await startService({ ...trusting, DATABASE_URL: database.url });
    expect(withProvider.process.exitCode).toBe(isOfStorage ? null : 1);
    if (isOfStorage) expect(withProvider.output().split(trusted)).toHaveLength(2);
    else expect(withProvider.output()).toMatch(/^DATABASE_URL: .* synchronous_commit = off/m);
    await withProvider.stop();
    if (name === 'fsync') {
      expect(await diagnose(database.url, settings)).toMatchObject({ state: 'error' });
      const sentence = expect.stringContaining('fsync = off');
      expect(await diagnose(database.url, trusting)).toMatchObject({ state: 'ok', sentence });
    }
    await admin.unsafe(`alter system reset ${name}`);
    await admin`select pg_reload_conf()`;
    await expect.poll(async () => (await admin`select current_setting(${name}) as now`)[0]?.now).toBe('on');
  }
  // Nothing is off any more.
  expect(await diagnose(database.url, trusting)).toMatchObject({ state: 'ok' });
  await admin.end();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

async function diagnose(url: string, variables: Record<string, string>): Promise<object | undefined> {
  const { output } = await runNotif(['doctor', '--json'], { ...variables, DATABASE_URL: url });
  const { checks } = JSON.parse(output) as { checks: { name: string }[] };
  return checks.find(({ name }) => name === 'database-durability');
}
