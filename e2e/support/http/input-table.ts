import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { holdToDocument } from '#e2e/support/http/documented.ts';
import { expectCommon } from '#e2e/support/http/interface.ts';
import { get, KEY, OTHER, withKey } from '#e2e/support/http/requests.ts';
import { answerFetch } from '#server/api/fetch-route.ts';

/** A request as bytes (one character each), and the expected status and code. Status 0: closed without a response. */
export type Case = [what: string, request: string | ((key: string) => string), status: number, code?: string];

/** The cases of these texts, of which `build` makes requests: accepted, or refused with 400 and a code. */
export function each(code: string | 200, build: (text: string) => string, texts: string[] | Record<string, string>) {
  const named = Array.isArray(texts)
    ? texts.map((text) => [JSON.stringify(text).slice(0, 40), text])
    : Object.entries(texts);
  return named.map(([what = '', text = '']) => [what, build(text), ...(code === 200 ? [200] : [400, code])] as Case);
}

type Answered = { status: number; headers: Headers; body: string };

// Thousands of requests would fill the output of the run.
process.env.LOG_LEVEL = 'fatal';

/** Answers the bytes of a request in this process. */
export async function askHere(text: string): Promise<Answered> {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const [method, target] = first.split(' ');
  const headers = new Headers();
  for (const line of lines) headers.append(line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1));
  const body = text.slice(end + 4);
  const asked = { method, headers, ...(body && { body: Buffer.from(body, 'latin1') }) };
  const answer = await answerFetch(new Request(`http://service.test${target}`, asked));
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}

const callsPerKey = 50;
const atOnce = 16;

/** Starts the table of a test file; `row` tests its cases, in one company with one active employee. `ask` sends. */
export async function makeTable(ask: (text: string) => Promise<Answered> = askHere) {
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
    const answer = await ask(text);
    if (answer.status === 0) return { came: [what, 0, undefined], wanted: [what, status, code], isSend: false };
    expectCommon(answer);
    const method = code === 'request_malformed' ? null : (text.split(' ')[0] ?? '');
    await holdToDocument(method, { ...answer, text: answer.body });
    const answered = (answer.body ? JSON.parse(answer.body) : {}) as { code?: string };
    const isSend = answer.status === 200 && method === 'POST';
    return { came: [what, answer.status, code && answered.code], wanted: [what, status, code], isSend };
  };
  const row = (id: string, promise: string, cases: Case[]) => {
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

/** Counts what a company has stored: notifications, audit entries of sends, and its newest number. */
export async function countStored({ owner }: Company): Promise<number[]> {
  const [row] = await sql()<{ notifications: number; audited: number; last: number }[]>`
    select (select count(*)::int from notifications where company_id = ${owner.companyId}) as notifications,
      (select count(*)::int from audit_log where company_id = ${owner.companyId} and action = 'notification.send') as audited,
      (select last_no::int from companies where id = ${owner.companyId}) as last`;
  return row ? [row.notifications, row.audited, row.last] : [];
}
