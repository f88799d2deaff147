import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { afterAll, expect } from 'vitest';
import { sql } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { migrate } from '#db/migrate.ts';
import { ownsAuditLog } from '#db/privileges.ts';
import { giveToService } from '#db/service-role.ts';
import { test } from '#e2e/support/data/test.ts';
import { databaseUrl } from '#platform/config/database.ts';
import { childEnv } from '#platform/config/processes.ts';
import { listAudit } from '#server/audit/list.ts';

const adminUrl = childEnv().ADMIN_DATABASE_URL ?? '';
const name = `append_only_${randomUUID().replaceAll('-', '')}`;
const scratchUrl = adminUrl.replace(/\/postgres$/, `/${name}`);
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
await admin.unsafe(`create database ${name}`);
afterAll(async () => {
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
});

const changes = ['delete from audit_log', 'truncate audit_log', `update audit_log set actor_name = 'x' where false`];
const codeOf = (running: Promise<unknown>) => running.then(() => 'done').catch(({ code }: { code: string }) => code);

test('the service’s role may add to the audit log but not change, delete or empty it (T17)', async ({ owner }) => {
  for (const change of changes) expect([change, await codeOf(sql().unsafe(change))]).toEqual([change, '42501']);
  expect(await codeOf(sql()`select from audit_log where company_id = ${owner.companyId} for update`)).toBe('42501');
  expect((await listAudit(owner)).entries).toHaveLength(1);
});

async function fillOld(url: string): Promise<void> {
  await migrate(url);
  const before = connect(url, 1);
  await before`insert into companies (name) values ('Lama')`;
  await before`insert into audit_log (company_id, actor_kind, actor_name, action, details, request_id)
    values (1, 'system', 'Lama', 'company.create', '{}', 'lama')`;
  await before.end();
}

const withTime = `
  insert into audit_log (company_id, actor_kind, actor_name, action, details, request_id, at)
  values (1, 'system', 'Palsu', 'company.edit', '{}', 'palsu', now() - interval '1 day')`;

async function expectGuarded(url: string): Promise<void> {
  const service = connect(url, 1);
  try {
    const [owned] = await service`select count(*)::int as foreign from pg_class c
      join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'migrations') and c.relkind in ('r', 'S', 'i')
        and pg_get_userbyid(c.relowner) <> 'notif_owner'`;
    expect(owned).toEqual({ foreign: 0 });
    expect(await ownsAuditLog(url)).toBe(false);
    for (const change of changes) expect([change, await codeOf(service.unsafe(change))]).toEqual([change, '42501']);
    expect(await codeOf(service.unsafe(withTime))).toBe('42501');
    await service`insert into audit_log (company_id, actor_kind, actor_name, action, details, request_id)
      values (1, 'system', 'Baru', 'company.edit', '{}', 'baru')`;
    const entries = await service`select actor_name as name from audit_log order by id`;
    expect(entries.map((entry) => entry.name)).toEqual(['Lama', 'Baru']);
  } finally {
    await service.end();
  }
}

test('a database of a superuser is handed over once, and the trigger refuses superusers (T17)', async () => {
  await fillOld(scratchUrl);
  const before = connect(scratchUrl, 1);
  for (const change of changes) await expect(before.unsafe(change)).rejects.toThrow('append only');
  await before.end();
  const first = await giveToService(scratchUrl);
  expect(await giveToService(scratchUrl)).toBe(first);
  await migrate(first);
  await expectGuarded(first);
});

test('a database of the service’s role, as in an older trial, gets another owner (T17)', async () => {
  const older = `${name}_older`;
  await admin.unsafe(`create database ${older} owner notif_service`);
  const adminOf = new URL(`/${older}`, adminUrl).href;
  const { username, password } = new URL(databaseUrl());
  const service = Object.assign(new URL(adminOf), { username, password }).href;
  try {
    await fillOld(service);
    expect(await ownsAuditLog(service)).toBe(true);
    expect(await giveToService(adminOf)).toBe(service);
    await migrate(service);
    await expectGuarded(service);
  } finally {
    await admin.unsafe(`drop database ${older} with (force)`);
  }
});
