import postgres from 'postgres';
import { expect, test } from 'vitest';
import { startOwnDatabase } from '#e2e/faults/own-database.ts';
import { seedCompany } from '#e2e/faults/seeded-company.ts';
import { noErrors, SendLog, waitUntilIdle } from '#e2e/faults/send-log.ts';
import { recordFigures, rounds } from '#e2e/support/figures.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';
import { adopt } from '#platform/config/settings.ts';
import { fingerprintOf, revokeKey } from '#server/keys/keys.ts';

const ping = '/api/v1/notif.php?aksi=ping';
const authSecret = 'x'.repeat(40);

test('four services that start together share schema, limits and revocations (X13)', async () => {
  const database = await startOwnDatabase();
  const start = () =>
    startService({ DATABASE_URL: database.url, AUTH_SECRET: authSecret, HOST: '127.0.0.1', LOG_LEVEL: 'fatal' });
  const services = await Promise.all([start(), start(), start(), start()]);
  expect(services.map(({ process }) => process.exitCode)).toEqual([null, null, null, null]);
  const admin = postgres(database.adminUrl, { max: 2, onnotice: () => {} });
  const migrations = await admin`select hash, count(*)::int as count from drizzle.__drizzle_migrations group by hash`;
  expect(migrations.length).toBeGreaterThan(1);
  expect(migrations.filter(({ count }) => count !== 1)).toEqual([]);

  const companies = await Promise.all(
    Array.from({ length: 4 }, () => seedCompany(admin, { employees: 10, keys: 200 })),
  );
  adopt({ databaseUrl: database.url, authSecret, appUrl: services[0]?.url ?? '' });

  const limitRounds = rounds(1, 20);
  for (let round = 0; round < limitRounds; round++) {
    const key = companies[0]?.keys[round] ?? '';
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, place) =>
        openLine(services[place % 4]?.url ?? '', false).ask(ping, { headers: { 'X-API-Key': key } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(140);
  }

  const sendLog = new SendLog();
  let over = false;
  const sendTo = async (place: number) => {
    while (!over) {
      const planned = sendLog.plan(companies.slice(1));
      // When a service is killed, retries at another one with the same Idempotency-Key.
      for (let attempt = 0; attempt < 4 && !over; attempt++) {
        const { status } = await sendLog.attempt(services[(place + attempt) % 4]?.url ?? '', planned);
        if (status === 200) break;
      }
    }
  };
  const sending = Promise.all(Array.from({ length: 8 }, (_, place) => sendTo(place)));
  const revocations = rounds(5, 100);
  const late: number[] = [];
  const { id = 0, ownerId = 0, keys = [] } = companies[1] ?? {};
  const owner = { kind: 'owner', companyId: id, companyName: 'PT Contoh', timeZone: 'Asia/Jakarta' } as const;
  for (const key of keys.slice(-revocations)) {
    const [row] = await admin<{ id: number }[]>`select id from api_keys where fingerprint = ${fingerprintOf(key)}`;
    const count = async () =>
      (await admin`select from notifications where company_id = ${id} and key_id = ${row?.id ?? 0}`).length;
    const own = services.map(({ url }) => {
      const planned = { ...sendLog.plan(companies.slice(1, 2)), key };
      sendLog.plannedSends.splice(-1, 1, planned);
      return sendLog.attempt(url, planned);
    });
    await revokeKey({ ...owner, accountId: ownerId, name: 'Pemilik Uji' }, row?.id ?? 0);
    const inTime = await count();
    const refused = await Promise.all(
      services.map(({ url }) => openLine(url, false).ask(ping, { headers: { 'X-API-Key': key } })),
    );
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    await Promise.all(own);
    late.push((await count()) - inTime);
  }
  const kills = rounds(1, 20);
  for (let round = 0; round < kills; round++) {
    const victim = services[round % 4] as Service;
    await victim.stop('SIGKILL');
    services[round % 4] = await start();
    await admin`delete from key_usage`;
  }
  over = true;
  await sending;
  await waitUntilIdle(admin);
  const counts = await sendLog.verify(admin);
  await Promise.all(services.map((service) => service.stop()));
  await admin.end();
  await database.remove();
  await recordFigures('X13', {
    limitRounds,
    revocations,
    kills,
    committedAfterRevoke: Math.max(...late),
    ...counts,
  });
  expect(late.filter((count) => count !== 0)).toEqual([]);
  expect(counts).toMatchObject(noErrors);
});
