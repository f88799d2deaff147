import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { startEmbedded } from '#db/embedded.ts';
import { startService } from '#harness/service.ts';

test('a start on a database that could lose sends is refused and names the setting (X9)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-durability-'));
  const database = await startEmbedded(folder);
  const admin = postgres(database.adminUrl, { max: 1 });
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    await admin.unsafe(`alter system set ${name} = off`);
    await admin`select pg_reload_conf()`;
    await expect.poll(async () => (await admin`select current_setting(${name}) as now`)[0]?.now).toBe('off');
    const refused = await startService({ DATABASE_URL: database.url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1' });
    expect(refused.process.exitCode).toBe(1);
    expect(refused.output()).toContain(`DATABASE_URL: the database runs with ${name} = off and could lose`);
    await admin.unsafe(`alter system reset ${name}`);
    await admin`select pg_reload_conf()`;
    await expect.poll(async () => (await admin`select current_setting(${name}) as now`)[0]?.now).toBe('on');
  }
  await admin.end();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});
