import { baseUrl } from '#e2e/support/http/interface.ts';
import type { Caller } from '#e2e/tenancy/callers.ts';

/** A complete response. */
export type Answer = { status: number; location: string | null; cookies: string[]; text: string };

/**
 * Requests a path as a caller, in Indonesian, without following redirects. Bodies are read as
 * latin1.
 */
export async function requestAs({ headers }: Caller, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(baseUrl + path, {
    redirect: 'manual',
    ...init,
    headers: { 'Accept-Language': 'id', ...headers, ...(init.headers as Record<string, string>) },
  });
  const { status } = response;
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split('=', 1)[0] ?? '');
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status, location: response.headers.get('location'), cookies, text: bytes.toString('latin1') };
}

// Values that differ between any two answers: nonces, request ids, times, times that have passed
// since, tokens of the sign-in library.
const changing = [
  /nonce(?:=|\\?":\\?)\\?"[\w+/=-]+\\?"/g,
  /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g,
  /\d{1,2} \p{L}+ \d{4}, \d\d\.\d\d WI(?:B|TA|T)/gu,
  /\b(?:sekarang|\d+ (?:detik|menit|jam) yang lalu|dalam \d+ (?:detik|menit|jam|hari))\b/g,
  /[0-9a-f]{64}/g,
  /"at":\d+(?:\.\d+)?/g,
];

// React's flight data consists of rows, `id:json\n` or `id:Tlength,text`, in any order. A length
// counts the original bytes, so values are hidden only after a row was cut out.
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

/** An answer without requested ids and random values: two of them can be compared. */
export type NormalisedAnswer = Omit<Answer, 'text'> & { said: string | string[] };

/** Removes the requested ids (`asked`) and values that always differ from an answer. */
export function normalise({ text, location, ...answer }: Answer, asked: object): NormalisedAnswer {
  const hide = (part: string) => {
    const named = Object.values(asked).reduce<string>((rest, id) => rest.replaceAll(String(id), '#'), part);
    return changing.reduce((rest, pattern) => rest.replace(pattern, '#'), named);
  };
  const said = text.startsWith('<!DOCTYPE html') ? wordsOf(text, hide) : hide(text);
  return { ...answer, location: location && hide(decodeURIComponent(location)), said };
}
