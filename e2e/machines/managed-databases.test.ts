import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { startCluster } from '#db/embedded/embedded.ts';
import { startOwnDatabase } from '#e2e/faults/own-database.ts';
import { certificateFiles, listTlsSettings } from '#e2e/support/proxies/certificates/certificates.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { startService } from '#e2e/support/service/service.ts';

const settings = { AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1' };
const plainRole = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

// As providers offer it: TLS with their own authority, and roles without special rights.
const folder = await mkdtemp(join(tmpdir(), 'notif-managed-'));
const server = await startCluster(join(folder, 'data'), { settings: await listTlsSettings(folder) });
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
const admin = postgres(server.adminUrl, { max: 1, onnotice: () => {} });
for (const role of ['notif_owner', 'notif_service', 'notif_alone'])
  await admin.unsafe(`create role ${role} ${plainRole} password 'rahasia'`);
await admin.unsafe('create database two_roles owner notif_owner');
await admin.unsafe('create database one_role owner notif_alone');
const [row] = await admin<{ file: string }[]>`select current_setting('hba_file') as file`;
await writeFile(row?.file ?? '', 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
await admin`select pg_reload_conf()`;
await admin.end();

function urlOf(role: string, database: string, query: string): string {
  const url = new URL(server.adminUrl);
  Object.assign(url, { username: role, password: 'rahasia', hostname: 'localhost', pathname: `/${database}` });
  url.search = query;
  return url.href;
}
const verified = () => `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificateFiles.authority)}`;

const warning = 'only a trigger keeps it from changing the audit log';

test.each([
  ['two roles', { DATABASE_URL: ['notif_service', 'two_roles'], DATABASE_OWNER_URL: ['notif_owner', 'two_roles'] }],
  ['one role that owns the database', { DATABASE_URL: ['notif_alone', 'one_role'] }],
])('%s without special rights are enough, over TLS with an authority of the provider (T17)', async (_, roles) => {
  const urls = Object.entries(roles).map(([name, [role = '', at = '']]) => [name, urlOf(role, at, verified())]);
  const service = await startService({ ...settings, ...Object.fromEntries(urls) });
  expect(service.output()).toContain('is running');
  // With one role, the start says what protects the audit log.
  expect(service.output().split(warning)).toHaveLength(urls.length === 1 ? 2 : 1);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  await service.stop();
});

test('a server that forces TLS, or has an unknown authority, ends the start with one sentence', async () => {
  for (const [query, reason] of Object.entries({ '': 'no encryption', 'sslmode=verify-full': 'certificate' })) {
    const refused = await startService({ ...settings, DATABASE_URL: urlOf('notif_alone', 'one_role', query) });
    expect(refused.process.exitCode).toBe(1);
    expect(refused.output()).toMatch(new RegExp(`^DATABASE_URL: .*${reason}.*\\.\n$`));
  }
});

const trusting = { ...settings, DATABASE_DURABILITY: 'provider' };
const trusted = 'DATABASE_DURABILITY=provider: the storage of the provider is trusted';

test('a start on a database that could lose sends is refused and names the setting (X9)', async () => {
  const database = await startOwnDatabase();
  const { admin } = database;
  const set = async (name: string, change: string, value: string) => {
    await admin.unsafe(`alter system ${change}`);
    await admin`select pg_reload_conf()`;
    await expect.poll(async () => (await admin`select current_setting(${name}) as now`)[0]?.now).toBe(value);
  };
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    await set(name, `set ${name} = off`, 'off');
    const refused = await startService({ ...settings, DATABASE_URL: database.url });
    expect(refused.process.exitCode).toBe(1);
    expect(refused.output()).toContain(`DATABASE_URL: the database runs with ${name} = off and could lose`);
    // The storage of a provider may make two of these three settings unnecessary.
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
    await set(name, `reset ${name}`, 'on');
  }
  // Nothing is off any more.
  expect(await diagnose(database.url, trusting)).toMatchObject({ state: 'ok' });
  await database.remove();
});

async function diagnose(url: string, variables: Record<string, string>): Promise<object | undefined> {
  const { output } = await runNotif(['doctor', '--json'], { ...variables, DATABASE_URL: url });
  const { checks } = JSON.parse(output) as { checks: { name: string }[] };
  return checks.find(({ name }) => name === 'database-durability');
}
