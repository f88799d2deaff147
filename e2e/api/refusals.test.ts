import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Embedded, startEmbedded } from '#db/embedded/embedded.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';
import { adopt } from '#platform/config/settings.ts';
import { rejectedPerHour } from '#server/keys/call-log.ts';
import { revokeKey } from '#server/keys/keys.ts';
import { countNotKept } from '#server/keys/rejected-requests.ts';

const path = '/api/v1/notif.php?aksi=ping';
const authSecret = 'z'.repeat(40);
const callers = 3000;
const atOnce = 50;

let folder: string;
let database: Embedded;
let service: Service;
let company: Company;

// Its own database with one company: only there calls without a key are stored.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-refusals-'));
  database = await startEmbedded(folder);
  service = await startService(
    { DATABASE_URL: database.url, AUTH_SECRET: authSecret, HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
    ['server/main.ts', '--processes', '2'],
  );
  adopt({ databaseUrl: database.url, authSecret, appUrl: service.url });
  company = await makeCompany();
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await sql().end();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

const anIPv4 = (index: number) => `10.${Math.floor(index / 65_536)}.${Math.floor(index / 256) % 256}.${index % 256}`;

async function flood(addressOf: (index: number) => string, headers: Record<string, string>): Promise<void> {
  for (let from = 0; from < callers; from += atOnce) {
    const statuses = await Promise.all(
      Array.from({ length: atOnce }, async (_, index) => {
        const asked = { ...headers, 'X-Forwarded-For': addressOf(from + index) };
        const answer = await fetch(`${service.url}${path}`, { headers: asked });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
  }
}

type Stored = { rows: number; calls: number; addresses: number; hours: number };

async function findStored(code: string, keyId: number | null): Promise<Stored> {
  const [stored] = await sql()<Stored[]>`
    select count(*)::int as rows, coalesce(sum(1 + more), 0)::int as calls, count(distinct address)::int as addresses,
      count(distinct date_trunc('hour', at))::int as hours
    from refusals where code = ${code} and key_id is not distinct from ${keyId}::int`;
  return stored ?? { rows: 0, calls: 0, addresses: 0, hours: 0 };
}

async function expectBounded(code: string, keyId: number | null, asked: number): Promise<Stored> {
  const key = keyId ?? 'none';
  const total = async () => (await findStored(code, keyId)).calls + (await countNotKept(company.owner, { key, code }));
  await expect.poll(total, { timeout: 15_000 }).toBe(asked);
  const stored = await findStored(code, keyId);
  expect(stored.rows).toBeGreaterThan(0);
  expect(stored.rows).toBeLessThanOrEqual(rejectedPerHour.ofOthers * stored.hours);
  return stored;
}

test('calls without a key from thousands of addresses leave few rows, and a complete count', async () => {
  await flood(anIPv4, { 'User-Agent': 'flood' });
  await expectBounded('key_missing', null, callers);
});

test('the addresses of one /64 share the rows of one address', async () => {
  await flood((index) => `2001:db8::${index.toString(16)}`, { 'X-API-Key': 'jss_short' });
  const { rows } = await expectBounded('key_malformed', null, callers);
  // 20 an hour in each of two processes.
  expect(rows).toBeLessThanOrEqual(2 * 2 * 20);
});

test('a revoked key from thousands of addresses leaves as few rows; other keys keep theirs', async () => {
  const [revoked, active] = [await company.newKey(), await company.newKey()];
  const keys = await sql()<{ id: number }[]>`select id from api_keys order by id`;
  const [first, second] = keys.map(({ id }) => id);
  await revokeKey(company.owner, first ?? 0);
  const flooding = flood(anIPv4, { 'X-API-Key': revoked });
  const wrong = await fetch(`${service.url}${path.replace('ping', 'x')}`, { headers: { 'X-API-Key': active } });
  expect(wrong.status).toBe(400);
  await flooding;
  await expectBounded('key_rejected', first ?? 0, callers);
  expect(await findStored('aksi_unknown', second ?? 0)).toMatchObject({ rows: 1, calls: 1 });
});
