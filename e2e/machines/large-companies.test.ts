import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, expect, test, vi } from 'vitest';
import { disconnect, sql } from '#db/client.ts';
import { startCluster } from '#db/embedded/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { giveToService } from '#db/service-role.ts';
import { deleteExpired } from '#e2e/support/data/calls.ts';
import { must } from '#e2e/support/data/company.ts';
import { fillDatabase, heavyReaders } from '#e2e/support/data/dataset/dataset.ts';
import { aDraft, keyDraft, toOne, toRoles } from '#e2e/support/data/sends.ts';
import { summarise } from '#e2e/support/figures.ts';
import { enterDatabase } from '#e2e/support/service/stage.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { countUnread } from '#server/inbox/unread.ts';
import type { Recipients } from '#server/notifications/audience.ts';
import type { ApiKey, Employee, Owner } from '#server/principals.ts';
import { countAndSend, sendNotification } from '#server/sends/by-key.ts';
import { listRecipients } from '#server/sends/history/details.ts';
import { countOutcomes } from '#server/sends/history/outcomes.ts';
import { listSends } from '#server/sends/history/send-list.ts';
import { sendManually } from '#server/sends/manual/send-manually.ts';

// A PostgreSQL of its own: no other test writes WAL there, and it counts the pages that each statement reads.
const folder = await mkdtemp(join(tmpdir(), 'notif-large-'));
const statistics = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_utility=off'];
const server = await startCluster(folder, { settings: statistics });
const admin = postgres(server.adminUrl, { max: 1, onnotice: () => {} });
afterAll(async () => {
  await disconnect();
  await admin.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
await admin`create extension pg_stat_statements`;
const url = await giveToService(server.adminUrl);
await migrate(url);
const shared = { companies: 1, receiptsEach: 3, keys: 2, broadcastEvery: 4 };
await fillDatabase(server.adminUrl, [
  { ...shared, employees: 10_000, sends: 40_000, busy: 3 },
  { ...shared, employees: 10, sends: 40, busy: 0 },
]);
await setOn({ autovacuum: 'off' });
await enterDatabase(url);

const [large, small] = [1, 2];

// Changes settings of the server and waits until they apply.
async function setOn(settings: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) await admin.unsafe(`alter system set ${name} = ${value}`);
  await admin`select pg_reload_conf()`;
  for (const [name, value] of Object.entries(settings))
    await vi.waitUntil(async () => Object.values((await admin.unsafe(`show ${name}`))[0] ?? {})[0] === value);
}

const keyOf = async (companyId: number): Promise<ApiKey> => {
  const [row] = await sql()<{ id: number }[]>`select min(id) as id from api_keys where company_id = ${companyId}`;
  return { kind: 'key', companyId, companyName: 'Contoh', id: row?.id ?? 0, name: 'Contoh' };
};
const ofLarge = { companyId: large, companyName: 'Contoh', timeZone: 'Asia/Jakarta', name: 'x' };
const reader = (employeeId: number): Employee => ({ kind: 'employee', ...ofLarge, employeeId });
const owner: Owner = { kind: 'owner', ...ofLarge, accountId: 1 };

/** The pages that the statements of the service's role read during `work`, from memory and disk. */
async function pagesOf(work: () => Promise<unknown>): Promise<number> {
  // From its sixth run on, PostgreSQL may use a generic plan; that plan is measured.
  for (let turn = 0; turn < 7; turn++) await work();
  await admin`select pg_stat_statements_reset()`;
  await work();
  const [row] = await admin`
    select sum(shared_blks_hit + shared_blks_read)::int as pages
    from pg_stat_statements where userid <> current_user::regrole`;
  return Number(row?.pages);
}

async function logBytesOfBroadcast(companyId: number): Promise<number> {
  const key = await keyOf(companyId);
  const position = async () => (await admin`select pg_current_wal_insert_lsn()::text as at`)[0]?.at as string;
  const before = await position();
  expect(await sendNotification(key, keyDraft, 'x')).toMatchObject({ replayed: false });
  const [row] = await admin`select pg_wal_lsn_diff(${await position()}, ${before})::int as bytes`;
  return Number(row?.bytes);
}

test('a broadcast to 10,000 employees writes as few bytes of WAL as one to 10, below 8 kB', async () => {
  // WAL holds a full page at its first change after a checkpoint, which depends on where a row finds room.
  await setOn({ full_page_writes: 'off' });
  const bytes: Record<number, number[]> = { [large]: [], [small]: [] };
  for (let turn = 0; turn < 15; turn++)
    for (const company of [large, small]) bytes[company]?.push(await logBytesOfBroadcast(company));
  await setOn({ full_page_writes: 'on' });
  const [most = 0, few = 0] = [large, small].map((company) => summarise(bytes[company] ?? []).value);
  expect(Math.abs(most - few)).toBeLessThan(512);
  expect(Math.max(most, few)).toBeLessThan(8192);
});

// A page reads about 40 pages, the count 20 to 100; single receipts fill sixty leaves, which are read twice.
const maxPages = { '200 spans': 200, 'read one by one': 300 } as Record<string, number>;

test.each(heavyReaders.map((name, place) => [name, maxPages[name] ?? 150, place + 1] as const))(
  'an inbox page and the unread count of 20,000 notifications (%s) read at most %i pages',
  async (_, most, employeeId) => {
    const look = () => Promise.all([listInbox(reader(employeeId)), countUnread(reader(employeeId))]);
    expect(await pagesOf(look)).toBeLessThanOrEqual(most);
  },
);

test('a search in unread notifications reads indexes, not the rows of thousands', async () => {
  const search = () => listInbox(reader(1), { filter: { unread: true, search: 'tidakada' } });
  expect(await pagesOf(search)).toBeLessThan(5000);
});

test('a send reads as few pages with 10,000 people and 20,000 remembered answers as with 10 people', async () => {
  await admin`insert into idempotency (company_id, key_id, idempotency_key, body_hash, reach)
    select ${large}, ${(await keyOf(large)).id}, 'lama ' || place, ${randomBytes(32)}, 1
    from generate_series(1, 20000) place`;
  // False statistics: PostgreSQL expects ten people a company and one remembered answer a key.
  await admin.unsafe('alter table employees alter company_id set (n_distinct = -0.1); analyze employees');
  await admin.unsafe('alter table idempotency alter company_id set (n_distinct = -1); analyze idempotency');
  expect(await pagesOfSend(large, 5001)).toBeLessThan((await pagesOfSend(small, 10_005)) + 100);
});

async function pagesOfSend(companyId: number, employeeId: number): Promise<number> {
  const [fingerprint, { id }] = [randomBytes(32), await keyOf(companyId)];
  await admin`update api_keys set fingerprint = ${fingerprint} where company_id = ${companyId} and id = ${id}`;
  const once = () => ({ idempotencyKey: randomUUID(), bodyHash: fingerprint });
  return pagesOf(async () => {
    const sent = await countAndSend(fingerprint, { ...keyDraft, ...toOne(employeeId) }, 'x', once());
    expect(sent).toMatchObject({ outcome: { reach: 1, replayed: false } });
  });
}

test('lists of sends and recipients read what they show, whatever the total', async () => {
  expect(await pagesOf(() => listSends(owner))).toBeLessThan(500);
  expect(await pagesOf(() => listRecipients(owner, 39_996, { after: 5000 }))).toBeLessThan(500);
});

test('the outcome and recipients of one send, and an inbox, stay cheap beside 40 sends to a role', async () => {
  const [{ role } = { role: '' }] = await sql()<{ role: string }[]>`
    select role from employees where company_id = ${large} and id = 4`;
  const send = async (to: { recipients: Recipients }) =>
    must(await sendManually(owner, aDraft({ ...to, mustConfirm: true })));
  const toOnePerson = await send(toOne(4));
  let newest = toOnePerson;
  for (let sent = 0; sent < 40; sent++) newest = await send(toRoles(role));
  expect(newest.reach).toBeGreaterThan(1000);
  await admin`analyze notification_people`;
  expect(await pagesOf(() => countOutcomes(owner, [newest.no]))).toBeLessThan(500);
  expect(await pagesOf(() => listRecipients(owner, toOnePerson.no))).toBeLessThan(100);
  expect(await pagesOf(() => listInbox(reader(4)))).toBeLessThanOrEqual(450);
});

test('no batch of the hourly jobs reads a whole table', async () => {
  await admin`update companies set keep_notifications_days = 365`;
  await admin`update idempotency set created_at = created_at - interval '3 days'`;
  await reportScans();
  await admin`select pg_stat_reset()`;
  await deleteExpired();
  await reportScans();
  // Short scans are allowed: PostgreSQL scans the table of the two companies for each session.
  const scanned = await admin`
    select relname, seq_scan, seq_tup_read from pg_stat_user_tables
    where seq_tup_read > 2000 * seq_scan and seq_scan > 0`;
  expect(scanned).toEqual([]);
  const [left] = await admin`
    select count(*)::int as count, min(created_at) > now() - interval '367 days' as young
    from notifications where company_id = ${large}`;
  expect(left).toMatchObject({ young: true });
  expect(left?.count).toBeLessThan(21_000);
});

// Connections report what they scanned when they end.
async function reportScans(): Promise<void> {
  await disconnect();
  const listConnections = () => admin`select from pg_stat_activity where usename like 'notif%'`;
  await vi.waitUntil(async () => (await listConnections()).length === 0);
  await admin`select pg_stat_force_next_flush()`;
}
