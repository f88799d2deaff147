import { baseUrl } from '#e2e/fixtures/interface.ts';
import type { Caller } from '#e2e/tenancy/callers.ts';

/** What came back, read whole. */
export type Answer = { status: number; location: string | null; cookies: string[]; text: string };

/** Asks for a path as somebody, in Indonesian, following nothing. A zip is read as the bytes it is. */
export async function requestAs({ headers }: Caller, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(baseUrl + path, {
    ...{ redirect: 'manual', ...init },
    headers: { 'Accept-Language': 'id', ...headers, ...(init.headers as Record<string, string>) },
  });
  const { status } = response;
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split('=', 1)[0] ?? '');
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status, location: response.headers.get('location'), cookies, text: bytes.toString('latin1') };
}

// What differs from one answer to the next whoever asks: nonces, request ids, moments, tokens of the sign-in library.
const changing = [
  /nonce(?:=|\\?":\\?)\\?"[\w+/=-]+\\?"/g,
  /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g,
  /\d{1,2} \p{L}+ \d{4}, \d\d\.\d\d WI(?:B|TA|T)/gu,
  /[0-9a-f]{64}/g,
  /"at":\d+(?:\.\d+)?/g,
];

// What React sends beside the page is rows, `id:json` to the end of the line or `id:Tlength,text`, in whatever order they are ready; their
// numbers are given in that order. A length is of the bytes as they came: whatever is hidden is hidden after a row was taken out.
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

// A page is streamed in whatever order its parts are ready: what is compared is what can be read in it, seen or not.
function wordsOf(page: string, hide: (part: string) => string): string[] {
  const flight = [...page.matchAll(/self\.__next_f\.push\((\[1,.*?\])\)<\/script>/gs)]
    .map(([, pushed]) => (JSON.parse(pushed ?? '[]') as string[])[1])
    .join('');
  const html = hide(page).replace(/<(script|style)\b.*?<\/\1>|<!--.*?-->/gs, '');
  return [...new Set([...html.split(/<[^>]*>/), ...textsOf(flight, hide)])].sort();
}

/** What an answer says, without what was asked for and what differs each time: two of these are equal or say something. */
export type NormalisedAnswer = Omit<Answer, 'text'> & { said: string | string[] };

/** Takes what was asked for, and what differs each time whoever asks, out of an answer. */
export function normalise({ text, location, ...answer }: Answer, asked: object): NormalisedAnswer {
  const hide = (part: string) => {
    const named = Object.values(asked).reduce<string>((rest, id) => rest.replaceAll(String(id), '#'), part);
    return changing.reduce((rest, pattern) => rest.replace(pattern, '#'), named);
  };
  const said = text.startsWith('<!DOCTYPE html') ? wordsOf(text, hide) : hide(text);
  return { ...answer, location: location && hide(decodeURIComponent(location)), said };
}
