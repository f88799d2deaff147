import { get, type IncomingMessage } from 'node:http';
import type postgres from 'postgres';
import type { Company } from '#e2e/support/data/company.ts';
import { openSessionCookie } from '#e2e/support/data/owners.ts';

/** An open event stream. A `paused` one reads nothing until `response.resume()`. */
export type Reader = {
  response: IncomingMessage;
  status: number;
  text: () => string;
  closed: Promise<unknown>;
  leave: () => void;
};

/** Opens a stream on a new connection. Resolves with the headers. */
export function openReader(
  url: string,
  cookie: string,
  { after = 0, lastEventId, paused = false }: { after?: number; lastEventId?: number; paused?: boolean } = {},
): Promise<Reader> {
  const headers = { cookie, ...(lastEventId === undefined ? {} : { 'Last-Event-ID': String(lastEventId) }) };
  return new Promise((resolve, reject) => {
    const request = get(`${url}/portal/stream?after=${after}`, { headers, agent: false }, (response) => {
      const parts: string[] = [];
      const closed = new Promise((done) => response.once('close', done));
      response.on('error', () => {});
      response.setEncoding('utf8').on('data', (part: string) => parts.push(part));
      if (paused) response.pause();
      const text = () => parts.join('');
      resolve({ response, status: response.statusCode ?? 0, text, closed, leave: () => request.destroy() });
    });
    request.on('error', reject);
  });
}

/** The numbers of the notifications in the text of a stream, in order. */
export const numbersIn = (text: string): number[] =>
  [...text.matchAll(/^id: (\d+)\ndata: \{.*\}\n\n/gm)].map((match) => Number(match[1]));

/**
 * Inserts employees with accounts and sessions, and returns a session cookie for each. `admin` is a
 * connection to the service's database.
 */
export async function signInMany(admin: postgres.Sql, { owner }: Company, people: number): Promise<string[]> {
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
  const open = async (accountId: number) => {
    const device = { address: '127.0.0.1', client: 'reader' };
    const { name, value } = await openSessionCookie({ companyId, accountId, sessionVersion: 1 }, device);
    return `${name}=${value}`;
  };
  const cookies: string[] = [];
  for (let from = 0; from < ids.length; from += 100)
    cookies.push(...(await Promise.all(ids.slice(from, from + 100).map(open))));
  return cookies;
}
