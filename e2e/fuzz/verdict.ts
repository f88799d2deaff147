import type { Came } from '#e2e/fuzz/connection.ts';
import type { Made } from '#e2e/fuzz/requests.ts';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';
import { failures, type Language } from '#server/api/failures.ts';

const operations = (makeOpenApiDocument('http://127.0.0.1').paths['/api/v1/notif.php'] ?? {}) as unknown as Record<
  string,
  { responses: Record<string, unknown> }
>;

// A method without an operation has the statuses of GET.
const documentedStatuses = (method: string): Set<number> =>
  new Set(Object.keys((operations[method.toLowerCase()] ?? operations.get)?.responses ?? {}).map(Number));

const constant: [name: string, value: RegExp][] = [
  ['x-ratelimit-limit', /^60$/],
  ['content-type', /^application\/json; charset=utf-8$/],
  ['cache-control', /^no-store$/],
  ['x-content-type-options', /^nosniff$/],
  ['x-request-id', /^[0-9a-f-]{36}$/],
];
const unwanted = ['set-cookie', 'location', 'access-control-allow-origin', 'x-powered-by', 'server'];

/**
 * How a response breaks the contract, in a few words, or null. Throws when the body is not JSON.
 */
export function findFault({ status, headers, body }: Came, made: Made): string | null {
  // A defect is a finding, and 503 is wrong while the database works. An unknown address is 404 for
  // every method.
  if (status >= 500 || !(documentedStatuses(made.method).has(status) || (status === 404 && made.ends)))
    return `status ${status}`;
  for (const [name, value] of constant) if (!value.test(headers.get(name) ?? '')) return name;
  // At an unknown address no key is judged.
  const left = headers.get('link')?.includes('#address_unknown') ? /^$/ : /^(?:[0-9]|[1-5][0-9])$/;
  if (!left.test(headers.get('x-ratelimit-remaining') ?? '')) return 'x-ratelimit-remaining';
  for (const name of unwanted) if (headers.has(name)) return name;
  if ((status === 405) !== (headers.get('allow') === 'GET, HEAD, POST')) return 'Allow';
  if ((status === 401) !== (headers.get('www-authenticate') === 'Bearer')) return 'WWW-Authenticate';
  if ((status === 429) !== (headers.get('retry-after') === '60')) return 'Retry-After';
  if ((status === 401 || status === 429) && headers.get('x-ratelimit-remaining') !== '0') return 'Remaining';
  return made.method === 'HEAD' ? null : findFaultIn(JSON.parse(body) as Answer, status, made);
}

type Answer = { ok?: boolean; error?: string; code?: string; field?: string; terkirim?: number };

function findFaultIn(answer: Answer, status: number, { isSend, language, misspelt }: Made): string | null {
  if (answer.ok !== (status === 200)) return 'ok';
  if (status === 200 && isSend && misspelt) return 'a misspelt user_id reached everyone';
  if (status === 200) return isSend && !Number.isInteger(answer.terkirim) ? 'terkirim' : null;
  const row = Object.entries(failures).find(([code]) => code === answer.code)?.[1];
  if (row?.status !== status) return `code ${answer.code}`;
  const { error = '', ok: _, code: __, field: ___, ...more } = answer;
  if (Object.keys(more).length > 0) return `more: ${Object.keys(more)}`;
  // The language of bytes that are not HTTP is unknown.
  const knows = language && answer.code !== 'request_malformed';
  if (knows && !error.startsWith(beginningOf(row, language))) return `language ${language}`;
  return /jss_\w{20}|\bat .*\.ts|\bundefined\b|\[object|\{\w+\}/.test(error.replace(/"[^"]*"/g, ''))
    ? 'sentence'
    : null;
}

const beginningOf = (row: Record<Language, string>, language: Language) => row[language].split(/[{[]/, 1)[0] ?? '';
