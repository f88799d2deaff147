import { connect, type Socket } from 'node:net';
import postgres from 'postgres';
import { type Measured, summarise } from '#bench/report.ts';
import type { Stage } from '#harness/stage.ts';
import { fingerprintOf, generateKey } from '#server/keys/keys.ts';

const connections = 16;

/**
 * Pings a second of one process and of two on the same machine, both services up all the time, in turn, over 16 kept connections and
 * with many keys. No goal: the load and the database share the cores. Listed as `processes`.
 */
export async function measureProcesses(stage: Stage): Promise<Measured[]> {
  const { url, adminUrl } = await stage.createDatabase();
  const rounds = stage.quick ? 3 : 7;
  const roundMs = stage.quick ? 500 : 1500;
  const keys = await makeKeys(adminUrl, stage.quick ? 600 : 4000);
  const [one, two] = [await stage.startFront(url), await stage.startFront(url, { PROCESSES: '2' })];
  const figures: { one: number[]; two: number[] } = { one: [], two: [] };
  for (const service of [one, two]) await pingsPerSecond(service.url, keys, roundMs / 2);
  for (let round = 0; round < rounds; round++) {
    figures.one.push(await pingsPerSecond(one.url, keys, roundMs));
    figures.two.push(await pingsPerSecond(two.url, keys, roundMs));
  }
  for (const service of [one, two]) await service.stop();
  const ratios = figures.two.map((two, round) => two / (figures.one[round] ?? Number.NaN));
  return [
    { id: 'N1', what: 'ping, one process', unit: 'requests/s', goal: null, ...summarise(figures.one) },
    { id: 'N2', what: 'ping, two processes', unit: 'requests/s', goal: null, ...summarise(figures.two) },
    { id: 'N2÷1', what: 'ping, two processes ÷ one', unit: '', goal: null, ...summarise(ratios) },
  ];
}

// Straight into the table: a company may have 50 keys, and each of them 60 requests a minute.
async function makeKeys(adminUrl: string, count: number): Promise<string[]> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const keys = Array.from({ length: count }, generateKey);
  const [company] = await sql`insert into companies (name) values ('Perusahaan Ukur') returning id`;
  const [account] = await sql`insert into accounts (company_id, username, name, password_hash, is_owner)
    values (${company?.id}, 'pemilik-ukur', 'Pemilik Ukur', 'x', true) returning id`;
  const fingerprints = keys.map((key) => fingerprintOf(key).toString('hex'));
  await sql`insert into api_keys (company_id, created_by, name, fingerprint)
    select ${company?.id}, ${account?.id}, 'kunci ' || place, decode(fingerprint, 'hex')
    from unnest(${fingerprints}::text[]) with ordinality as f (fingerprint, place)`;
  await sql.end();
  return keys;
}

async function pingsPerSecond(url: string, keys: string[], ms: number): Promise<number> {
  const started = performance.now();
  const isOver = () => performance.now() - started > ms;
  const counts = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay(true);
      let answered = 0;
      while (!isOver()) {
        // One after another through all keys, so that none comes near its limit.
        const key = keys.shift() ?? '';
        keys.push(key);
        if (await ping(socket, key)) answered++;
      }
      socket.destroy();
      return answered;
    }),
  );
  return (1000 * counts.reduce((sum, count) => sum + count, 0)) / (performance.now() - started);
}

// The answer is short and comes in one piece; false for any but 200, and when the connection ends.
function ping(socket: Socket, key: string): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (answer: unknown) => {
      socket.off('data', settle).off('close', settle);
      resolve(answer instanceof Buffer && answer.toString('latin1', 0, 12) === 'HTTP/1.1 200');
    };
    socket.on('data', settle).on('close', settle);
    socket.write(`GET /api/v1/notif.php?aksi=ping HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
  });
}
