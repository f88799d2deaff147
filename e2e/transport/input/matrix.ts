import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { holdToDocument } from '#e2e/support/http/documented.ts';
import { baseUrl, expectCommon } from '#e2e/support/http/interface.ts';
import { askRaw } from '#e2e/support/http/raw.ts';

/** The path of the interface, and its cheapest request. */
export const path = '/api/v1/notif.php';
export const ping = `${path}?aksi=ping`;

/** Placeholders for a valid key and for another key of the company. As long as a key. */
export const KEY = 'K'.repeat(68);
export const OTHER = 'O'.repeat(68);

/**
 * A request as bytes (one character each), and the expected status and code. Status 0: closed
 * without a response.
 */
export type Case = [what: string, request: string | ((key: string) => string), status: number, code?: string];

/** Encodes a text as UTF-8, one character for each byte. */
export const utf8 = (text: string) => Buffer.from(text).toString('latin1');

/** A request without a body. */
export const request = (first: string, headers: string[] = []) =>
  `${first} HTTP/1.1\r\nHost: x\r\n${headers.map((header) => `${header}\r\n`).join('')}Connection: close\r\n\r\n`;

/** A GET that pings with these headers. */
export const get = (headers: string[], target = ping) => request(`GET ${target}`, headers);

const withKey = `X-API-Key: ${KEY}`;

/** A POST of this body (one character a byte) with a key; `headers` begin with the Content-Type. */
export const post = (body: string, headers: string[] = ['Content-Type: application/json'], authorization = withKey) =>
  request(`POST ${path}`, [authorization, ...headers, `Content-Length: ${body.length}`].filter(Boolean)) + body;

/** A POST of URL-encoded form data, given as its text. */
export const form = (body: string) => post(body, ['Content-Type: application/x-www-form-urlencoded']);

/** A POST of multipart form data with boundary `b`. */
export const multipart = (body: string, parameter = '; boundary=b') =>
  post(body, [`Content-Type: multipart/form-data${parameter}`]);

/** One part of such a form. */
export const part = (name: string, value: string, head = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n${head}\r\n${value}\r\n`;

/** The table of a test file: `row` tests its cases, in one company with one active employee. */
type Matrix = {
  company: Company;
  employeeId: number;
  row: (id: string, promise: string, cases: Case[]) => void;
};

const callsPerKey = 50;
const atOnce = 16;

/** Starts a table. */
export async function makeMatrix(): Promise<Matrix> {
  const company = await makeCompany();
  const { employeeId } = await company.hire();
  const keys: Promise<string>[] = [];
  let calls = 0;
  // Each key has 60 calls a minute.
  const nextKey = () => {
    const index = Math.floor(calls++ / callsPerKey);
    keys[index] ??= company.newKey();
    return keys[index];
  };
  const other = await company.newKey();
  const play = async ([what, given, status, code]: Case) => {
    const key = await nextKey();
    const text = typeof given === 'string' ? given.replaceAll(KEY, key).replaceAll(OTHER, other) : given(key);
    const answer = await askRaw(baseUrl, Buffer.from(text, 'latin1'));
    if (answer.status === 0) return { came: [what, 0, undefined], wanted: [what, status, code], isSend: false };
    expectCommon(answer);
    const method = code === 'request_malformed' ? null : (text.split(' ')[0] ?? '');
    await holdToDocument(method, { ...answer, text: answer.body });
    const json = (answer.body ? JSON.parse(answer.body) : {}) as { code?: string };
    const isSend = answer.status === 200 && method === 'POST';
    return { came: [what, answer.status, code && json.code], wanted: [what, status, code], isSend };
  };
  const row: Matrix['row'] = (id, promise, cases) => {
    test(`${promise} (${id})`, async () => {
      const before = await countStored(company);
      const played: Awaited<ReturnType<typeof play>>[] = [];
      for (let from = 0; from < cases.length; from += atOnce)
        played.push(...(await Promise.all(cases.slice(from, from + atOnce).map(play))));
      expect(played.map(({ came }) => came)).toEqual(played.map(({ wanted }) => wanted));
      const sends = played.filter(({ isSend }) => isSend).length;
      const after = await countStored(company);
      expect(after, 'stored is what was answered 200, and nothing else').toEqual(before.map((count) => count + sends));
      const next = await play(['afterwards', get([withKey]), 200]);
      expect(next.came, 'the next good request works').toEqual(next.wanted);
    });
  };
  return { company, employeeId, row };
}

async function countStored({ owner }: Company): Promise<number[]> {
  const [row] = await sql()<{ notifications: number; audited: number; last: number }[]>`
    select (select count(*)::int from notifications where company_id = ${owner.companyId}) as notifications,
      (select count(*)::int from audit_log where company_id = ${owner.companyId} and action = 'notification.send') as audited,
      (select last_no::int from companies where id = ${owner.companyId}) as last`;
  return row ? [row.notifications, row.audited, row.last] : [];
}
