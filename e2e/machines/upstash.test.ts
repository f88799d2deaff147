import { beforeEach, expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { expectCommon } from '#e2e/support/http/interface.ts';
import { lacks } from '#e2e/support/programs.ts';
import { startUpstash } from '#e2e/support/proxies/upstash.ts';
import { noteSeen } from '#e2e/support/service/secrets.ts';
import { startService } from '#e2e/support/service/service.ts';
import { stopsAfterTests } from '#e2e/support/service/stops.ts';

const stops = stopsAfterTests();

async function startLimited() {
  const rest = await startUpstash();
  stops.push(rest.stop);
  const service = await startService({
    DATABASE_URL: process.env.DATABASE_URL,
    AUTH_SECRET: 'x'.repeat(40),
    HOST: '127.0.0.1',
    ...rest.variables,
  });
  stops.push(() => service.stop());
  const ping = async (key: string) => {
    const started = performance.now();
    const response = await fetch(`${service.url}/api/v1/notif.php?aksi=ping`, { headers: { 'X-API-Key': key } });
    expectCommon(response);
    await response.text();
    return {
      status: response.status,
      left: Number(response.headers.get('x-ratelimit-remaining')),
      ms: performance.now() - started,
    };
  };
  return { rest, ping };
}

type Limited = Awaited<ReturnType<typeof startLimited>>;

type Counted = { key: string; answers: { status: number; left: number }[]; asked: number };

/** Sends 62 pings with a new key. `asked` is how many of them were counted in Upstash. */
async function pingToTheLimit({ rest, ping }: Limited): Promise<Counted> {
  const key = await (await makeCompany()).newKey();
  const before = rest.state.asked;
  const answers: Counted['answers'] = [];
  for (let request = 0; request < 62; request++) answers.push(await ping(key));
  return { key, answers, asked: rest.state.asked - before };
}

async function checkAnswers(limited: Limited): Promise<void> {
  const { rest } = limited;
  let counted = await pingToTheLimit(limited);
  // PostgreSQL counts for 5 s after one answer of Upstash took over 150 ms, as on a busy machine.
  for (let attempt = 0; attempt < 20 && counted.asked <= 60; attempt++) counted = await pingToTheLimit(limited);
  const { key, answers } = counted;
  const expected = [...Array.from({ length: 60 }, (_, index) => [200, 59 - index]), [429, 0], [429, 0]];
  expect(answers.map(({ status, left }) => [status, left])).toEqual(expected);
  expect(counted.asked).toBeGreaterThan(60);
  const names = await rest.client.keys('*');
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    expect(name).not.toContain(key.slice(4, 24));
    const kind = await rest.client.type(name);
    const value =
      kind === 'hash' ? await rest.client.hGetAll(name) : kind === 'string' ? await rest.client.get(name) : kind;
    noteSeen('redis', JSON.stringify([name, value]));
  }
}

let limited: Limited;
if (!lacks('redis-server')) limited = await startLimited();
beforeEach(({ skip }) => skip(lacks('redis-server')));

test('with Upstash the headers count 59 … 0, then 429; no Redis name contains a key (R1)', async () => {
  await checkAnswers(limited);
});
