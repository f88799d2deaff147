import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type postgres from 'postgres';
import { openSessionOf } from '#e2e/support/data/owners.ts';

/** Opens a stream on a new connection. Resolves with the headers. A `paused` one reads only after a `resume()`. */
export async function openReader(url: string, cookie: string, { lastEventId = '', paused = false } = {}) {
  const headers = { cookie, ...(lastEventId && { 'Last-Event-ID': lastEventId }) };
  const request = get(`${url}/portal/stream?after=0`, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const parts: string[] = [];
  const closed = new Promise((done) => response.once('close', done));
  for (const one of [request, response]) one.on('error', () => {});
  response.setEncoding('utf8').on('data', (part: string) => parts.push(part));
  if (paused) response.pause();
  const text = () => parts.join('');
  return { response, status: response.statusCode ?? 0, text, closed, leave: () => void request.destroy() };
}

export type Reader = Awaited<ReturnType<typeof openReader>>;

/** The numbers of the notifications in the text of a stream, in order. */
export const numbersIn = (text: string): number[] =>
  [...text.matchAll(/^id: (\d+)\ndata: \{.*\}\n\n/gm)].map((match) => Number(match[1]));

/** Inserts employees with accounts and sessions. Returns a session cookie for each. */
export async function signInMany(admin: postgres.Sql, { owner }: { owner: { companyId: number } }, people: number) {
  const { companyId } = owner;
  const accounts = await admin<{ id: number }[]>`
    insert into accounts (company_id, username, name, password_hash)
    select ${companyId}, gen_random_uuid(), 'Karyawan ' || n, 'nobody''s' from generate_series(1, ${people}) n returning id`;
  const ids = accounts.map(({ id }) => id);
  await admin`
    with hired as (
      insert into employees (company_id, account_id, name, role)
      select ${companyId}, id, 'Karyawan', 'Staf' from unnest(${ids}::int[]) id returning id
    ), counted as (update companies set active_employees = active_employees + ${people} where id = ${companyId} returning last_no)
    insert into employment (company_id, employee_id, from_no) select ${companyId}, hired.id, last_no from hired, counted`;
  const open = (accountId: number) => openSessionOf({ companyId, accountId });
  const cookies: string[] = [];
  for (let from = 0; from < ids.length; from += 100)
    cookies.push(...(await Promise.all(ids.slice(from, from + 100).map(open))));
  return cookies;
}

/** A portal without a page: the numbers that arrived, the newest one, and whether its stream has pinged. */
export type PortalClient = { numbers: number[]; newest: number; isLive: boolean; openings: number; refusals: number };

/** Opens a stream after a number. Resolves with the headers. */
type Open = (after: number) => Promise<IncomingMessage>;

const pauseMs = 500;

/** Reads streams as a portal does: the next one goes on after the newest number, at the time in `retry`. */
export function keepReading(open: Open, isOver: () => boolean): PortalClient & { ended: Promise<void> } {
  const client: PortalClient = { numbers: [], newest: 0, isLive: false, openings: 0, refusals: 0 };
  const read = async (stream: IncomingMessage) => {
    let rest = '';
    let retryMs = 0;
    stream
      .on('error', () => {})
      .setEncoding('utf8')
      .on('data', (part: string) => {
        const whole = (rest + part).split(/(?<=\n\n)/);
        rest = whole.at(-1)?.endsWith('\n\n') ? '' : (whole.pop() ?? '');
        const numbers = whole.flatMap(numbersIn);
        client.numbers.push(...numbers);
        client.newest = numbers.at(-1) ?? client.newest;
        retryMs = Number(/^retry: (\d+)$/m.exec(whole.join(''))?.[1] ?? retryMs);
        client.isLive ||= whole.some((event) => event.startsWith('event: ping'));
        if (isOver()) stream.destroy();
      });
    await new Promise((resolve) => stream.once('close', resolve));
    client.isLive = false;
    return retryMs;
  };
  const readAgain = async () => {
    while (!isOver()) {
      const stream = await open(client.newest).catch(() => null);
      client[stream?.statusCode === 200 ? 'openings' : 'refusals'] += 1;
      if (stream?.statusCode === 200) {
        await pause(await read(stream));
        continue;
      }
      stream?.destroy();
      await pause(pauseMs * (1 + Math.random()));
    }
  };
  return Object.assign(client, { ended: readAgain() });
}
