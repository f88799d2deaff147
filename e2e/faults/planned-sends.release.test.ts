import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnDatabase, startOwnDatabase } from '#e2e/faults/own-database.ts';
import { type SeededCompany, seedCompany } from '#e2e/faults/send-log.ts';
import { makeClock } from '#e2e/faults/skewed.ts';
import { percentile, rounds } from '#e2e/support/figures.ts';
import { lacks } from '#e2e/support/programs.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';

let database: OwnDatabase;
let admin: postgres.Sql;
const clocks: Awaited<ReturnType<typeof makeClock>>[] = [];

beforeAll(async () => {
  database = await startOwnDatabase();
  admin = postgres(database.adminUrl, { max: 2, onnotice: () => {} });
  // Three machines: one has the right time, one is an hour ahead, one an hour behind.
  if (!lacks('faketime')) clocks.push(...(await Promise.all(['+0', '+3600', '-3600'].map(makeClock))));
}, 120_000);

afterAll(async () => {
  await admin.end();
  await database.remove();
  await Promise.all(clocks.map(({ remove }) => remove()));
});

const machines = 3;

const start = (machine: number) =>
  startService({
    DATABASE_URL: database.url,
    AUTH_SECRET: 'x'.repeat(40),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    ...clocks[machine]?.variables,
  });

// Plans sends that leave within half a second, and says when each leaves.
const plan = ({ id, ownerId }: SeededCompany, count: number, first = 0) => admin<{ id: string; at: Date }[]>`
  insert into planned_sends (company_id, draft_id, account_id, title, body, kind, must_confirm, is_planned, leaves_at)
  select ${id}, gen_random_uuid(), ${ownerId}, 'Kabar ' || ${first}::int + n, 'Isi', 'info', false, n % 3 > 0,
    now() + random() * interval '500 ms'
  from generate_series(1, ${count}::int) n
  returning draft_id as id, leaves_at as at`;

const makeRules = ({ id, ownerId }: SeededCompany, count: number) => admin`
  with rule as (
    insert into send_rules (company_id, account_id, title, body, kind, must_confirm, every, minute, time_zone, starts_on)
    select ${id}, ${ownerId}, 'Tiap hari ' || n, 'Isi', 'absen', false, 'day', 480, 'Asia/Jakarta', '2026-01-01'
    from generate_series(1, ${count}::int) n returning *
  )
  insert into planned_sends (company_id, draft_id, account_id, title, body, kind, must_confirm, is_planned, rule_id, leaves_at)
  select company_id, gen_random_uuid(), account_id, title, body, kind, false, true, id, now() + interval '1 day' from rule`;

const makeRulesDue = ({ id }: SeededCompany) => admin<{ id: string; at: Date }[]>`
  update planned_sends set leaves_at = now() + random() * interval '500 ms'
  where company_id = ${id} and rule_id is not null and leaves_at > now() + interval '1 minute'
  returning draft_id as id, leaves_at as at`;

const listSent = ({ id, ownerId }: SeededCompany) => admin<{ id: string; at: Date; reach: number }[]>`
  select draft_id as id, created_at as at, reach from notifications where company_id = ${id} and account_id = ${ownerId}`;

const countSent = async (company: SeededCompany) => (await listSent(company)).length;

async function expectOnce(company: SeededCompany, wanted: Map<string, Date>): Promise<number[]> {
  await expect.poll(() => countSent(company), { timeout: 120_000 }).toBeGreaterThanOrEqual(wanted.size);
  const sent = await listSent(company);
  expect(sent.map(({ id }) => id).toSorted()).toEqual([...wanted.keys()].toSorted());
  expect(sent.every(({ reach }) => reach === company.employees)).toBe(true);
  const entries = await admin`select from audit_log where company_id = ${company.id} and action = 'notification.send'`;
  expect(entries).toHaveLength(wanted.size);
  return sent.map(({ id, at }) => at.getTime() - (wanted.get(id)?.getTime() ?? 0)).sort((one, other) => one - other);
}

test('planned sends leave exactly once while processes with wrong clocks are killed (X25)', async () => {
  const kills = rounds(6, 200);
  const [perRound, rules] = [60, 10];
  const services: Promise<Service>[] = Array.from({ length: machines }, (_, at) => start(at));
  await Promise.all(services);
  const company = await seedCompany(admin, { employees: 3 });
  await makeRules(company, rules);
  const wanted = new Map<string, Date>();
  for (let round = 0; round < kills; round++) {
    const due = [...(await plan(company, perRound, round * perRound)), ...(await makeRulesDue(company))];
    for (const { id, at } of due) wanted.set(id, at);
    // The kill comes while the sends of this round leave, after a random part of them.
    const enough = wanted.size - due.length + 1 + Math.floor(Math.random() * due.length * 0.8);
    await expect.poll(() => countSent(company), { timeout: 60_000, interval: 2 }).toBeGreaterThanOrEqual(enough);
    const victim = round % machines;
    await (await services[victim])?.stop('SIGKILL');
    // Not awaited: it starts while the next one is killed, so a round takes no longer than its sends.
    services[victim] = start(victim);
    services[victim].catch(() => {});
  }
  const late = await expectOnce(company, wanted);
  expect(percentile(late, 0.5), 'late in ms').toBeLessThan(5000);
  const waiting = await admin`
    select rule_id from planned_sends where company_id = ${company.id} and undone_at is null and leaves_at > now()`;
  expect(waiting, 'each rule waits for its next time').toHaveLength(rules);
  expect(await admin`select from planned_sends where company_id = ${company.id} and leaves_at <= now()`).toEqual([]);
  await Promise.all(services.map(async (service) => (await service).stop()));
  expect(await countSent(company), 'nothing leaves again').toBe(wanted.size);
}, 900_000);
