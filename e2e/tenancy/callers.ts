import { randomUUID } from 'node:crypto';
import { sql } from '#db/client.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { accountOf, type FullCompany, sessionOf } from '#e2e/tenancy/full-company.ts';
import { endOtherSessions } from '#server/accounts/sessions/sessions.ts';

export type Caller = { name: string; headers: Record<string, string> };

/** Callers with an API key, which is valid for the API only. */
export const keyCallers = (key: string): Caller[] => [
  { name: 'a key in X-API-Key', headers: { 'X-API-Key': key } },
  { name: 'a key in Authorization', headers: { Authorization: `Bearer ${key}` } },
  { name: 'a key in both headers', headers: { Authorization: `Bearer ${key}`, 'X-API-Key': key } },
];

export const anonymous: Caller = { name: 'anonymous', headers: {} };

export const usersOf = ({ owner, manager, employee }: FullCompany) => ({
  owner: { name: 'the owner', headers: { cookie: owner } },
  manager: { name: 'the manager', headers: { cookie: manager } },
  employee: { name: 'the employee', headers: { cookie: employee } },
});

/** Creates callers whose sessions were valid and have ended in five ways. */
export async function makeEndedSessions({ company }: FullCompany): Promise<Caller[]> {
  const { companyId } = company.owner;
  const dismissed = await company.hire('Karyawan Diberhentikan');
  await company.giveAccount(dismissed);
  const addAccount = async (name: string, right: 'is_owner' | 'is_manager') => {
    const [row] = await sql()`insert into accounts (company_id, username, name, password_hash, ${sql()(right)})
      values (${companyId}, ${randomUUID()}, ${name}, 'nobody''s', true) returning id`;
    return Number(row?.id);
  };
  const accounts = {
    'a deactivated employee': await accountOf(dismissed),
    'a former owner': await addAccount('Mantan Pemilik', 'is_owner'),
    'a former manager': await addAccount('Mantan Pengelola', 'is_manager'),
    'a session ended on another device': company.owner.accountId,
    'a session from before a password change': await addAccount('Pemilik Kedua', 'is_owner'),
  };
  const endedSessions: Caller[] = [];
  for (const [name, accountId] of Object.entries(accounts)) {
    const cookie = await openSessionOf({ companyId, accountId });
    const page = name.includes('employee') ? '/portal/settings' : '/owner';
    const { status } = await fetch(baseUrl + page, { headers: { cookie }, redirect: 'manual' });
    if (status !== 200) throw new Error(`${name} was never let in: ${status}`);
    endedSessions.push({ name, headers: { cookie } });
  }
  await company.deactivate(dismissed);
  await sql()`update accounts set is_owner = false, is_manager = false where company_id = ${companyId}
    and id in (${accounts['a former owner']}, ${accounts['a former manager']})`;
  const { sessionId } = await sessionOf(endedSessions[3]?.headers.cookie ?? '');
  await endOtherSessions(await sessionOf(await openSessionOf(company.owner)), sessionId);
  await sql()`update accounts set session_version = session_version + 1
    where company_id = ${companyId} and id = ${accounts['a session from before a password change']}`;
  return endedSessions;
}

export type Answer = { status: number; location: string | null; cookies: string[]; text: string };

/** Requests a path as a caller, in Indonesian, without following redirects. Bodies are read as latin1. */
export async function requestAs({ headers }: Caller, path: string, init: RequestInit = {}): Promise<Answer> {
  const asked = { 'Accept-Language': 'id', ...headers, ...(init.headers as Record<string, string>) };
  const response = await fetch(baseUrl + path, { redirect: 'manual', ...init, headers: asked });
  const { status } = response;
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split('=', 1)[0] ?? '');
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status, location: response.headers.get('location'), cookies, text: bytes.toString('latin1') };
}

// Values that differ between any two answers.
const changing = [
  ...[/nonce(?:=|\\?":\\?)\\?"[\w+/=-]+\\?"/g, /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g],
  ...[/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, /\d{1,2} \p{L}+ \d{4}, \d\d\.\d\d WI(?:B|TA|T)/gu],
  ...[/\b(?:sekarang|\d+ (?:detik|menit|jam) yang lalu|dalam \d+ (?:detik|menit|jam|hari))\b/g, /[0-9a-f]{64}/g],
  /"at":\d+(?:\.\d+)?/g,
];

// React's flight data: rows `id:json\n` or `id:Tlength,text`. A length counts the original bytes.
function textsOf(flight: string, hide: (part: string) => string): string[] {
  const texts: string[] = [];
  const row = /([0-9a-f]*):(?:T([0-9a-f]+),)?/y;
  for (let at = 0; at < flight.length; ) {
    row.lastIndex = at;
    const [head = '', , length] = row.exec(flight) ?? [];
    if (head === '') throw new Error(`no row: ${flight.slice(at, at + 80)}`);
    at += head.length;
    const lineEnd = flight.indexOf('\n', at);
    const end = length ? at + Number.parseInt(length, 16) : lineEnd === -1 ? flight.length : lineEnd;
    const body = hide(flight.slice(at, end));
    texts.push(...(length ? [body] : [...body.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text ?? '')));
    at = length ? end : end + 1;
  }
  return texts.filter((text) => !text.startsWith('$'));
}

// The parts of a page are streamed in any order, so the sorted texts are compared.
function wordsOf(page: string, hide: (part: string) => string): string[] {
  const flight = [...page.matchAll(/self\.__next_f\.push\((\[1,.*?\])\)<\/script>/gs)]
    .map(([, pushed]) => (JSON.parse(pushed ?? '[]') as string[])[1])
    .join('');
  const html = hide(page).replace(/<(script|style)\b.*?<\/\1>|<!--.*?-->/gs, '');
  return [...new Set([...html.split(/<[^>]*>/), ...textsOf(flight, hide)])].sort();
}

/** Removes the requested ids (`asked`) and values that always differ from an answer: two of them can be compared. */
export function normalise({ text, location, ...answer }: Answer, asked: object) {
  const hide = (part: string) => {
    // Each page of a bell has a new secret. It goes before the ids, because it may contain one by chance.
    const known = part.replaceAll(/"(?:secret|code)":"[\w-]{43}"/g, '"#"');
    const named = Object.values(asked).reduce<string>((rest, id) => rest.replaceAll(String(id), '#'), known);
    return changing.reduce((rest, pattern) => rest.replace(pattern, '#'), named);
  };
  const said = text.startsWith('<!DOCTYPE html') ? wordsOf(text, hide) : hide(text);
  return { ...answer, location: location && hide(decodeURIComponent(location)), said };
}

type Columns = { table: string; column: string };

/** A checksum of a company's rows for each table, without what each call, denial or hourly job changes. */
export async function checksumOf(companyId: number): Promise<Record<string, string>> {
  const tables = await sql()<Columns[]>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and (column_name = 'company_id' or (table_name, column_name) = ('companies', 'id'))
      and table_name <> 'key_usage' order by 1`;
  const sums: Record<string, string> = {};
  for (const { table, column } of tables) {
    const [row] = await sql()`
      select count(*)::text || ' ' || coalesce(md5(string_agg(line, '|' order by line)), '') as sum
      from (select (to_jsonb(rows) - 'counted_at')::text as line from ${sql()(table)} rows where ${sql()(column)} = ${companyId}) lines
      where line !~ '"(access.deny|denied-requests)"'`;
    sums[table] = String(row?.sum);
  }
  return sums;
}
