import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseEncoding, type EncodedText, encodeText } from '#platform/net/encodings.ts';
import { preferredLanguage } from '#server/api/language.ts';
import type { AnswerPage } from '#server/front/page-queue.ts';

const texts = new Set(['/api/v1/openapi.json', '/api/v1/openapi-3.0.json']);
const maxAgeMs = 5 * 60_000;

type Kept = { headers: Record<string, string | string[]>; text: EncodedText; until: number };

/**
 * Answers GET and HEAD of the large public texts from memory, compressed once; otherwise each
 * request would cost up to 100 kB and 50 ms. `answerPage` makes them and answers all else.
 */
export function keepTexts(answerPage: AnswerPage): AnswerPage {
  const kept = new Map<string, Kept>();
  return async (request, response) => {
    const name = nameOf(request);
    const found = name === null ? undefined : kept.get(name);
    if (found && found.until > performance.now()) return answer(found, request, response);
    if (name !== null && request.method === 'GET') keepBody(request, response, (made) => kept.set(name, made));
    return answerPage(request, response);
  };
}

// Null for a request whose answer is not kept.
function nameOf({ url = '', method, headers }: IncomingMessage): string | null {
  const [path = '', query = ''] = url.split('?', 2);
  if (!texts.has(path) || (method !== 'GET' && method !== 'HEAD')) return null;
  if (query !== '') return /^lang=(?:id|en)$/.test(query) ? url : null;
  return `${path} ${preferredLanguage(headers['accept-language'] ?? null)}`;
}

function answer({ headers, text }: Kept, { method, headers: asked }: IncomingMessage, response: ServerResponse): void {
  const { body, headers: bodyHeaders } = chooseEncoding(text, asked['accept-encoding']);
  response.writeHead(200, { ...headers, ...bodyHeaders }).end(method === 'HEAD' ? undefined : body);
}

// All that the makers of the texts may read. Another header of one client must not reach the others.
const readHeaders = new Set(['accept-language', 'host', 'x-forwarded-for']);

// Passes the plain text on to the client, and the whole of it to `keep`.
function keepBody({ headers: asked }: IncomingMessage, response: ServerResponse, keep: (made: Kept) => void): void {
  for (const header of Object.keys(asked)) if (!readHeaders.has(header)) delete asked[header];
  const parts: Buffer[] = [];
  for (const name of ['write', 'end'] as const) {
    const pass = response[name].bind(response) as (...given: unknown[]) => never;
    response[name] = (...given: unknown[]) => {
      if (typeof given[0] === 'string' || given[0] instanceof Uint8Array) parts.push(Buffer.from(given[0] as string));
      return pass(...given);
    };
  }
  response.once('finish', async () => {
    if (response.statusCode !== 200 || response.hasHeader('set-cookie')) return;
    const { 'transfer-encoding': _, ...headers } = response.getHeaders() as Kept['headers'];
    const vary = [headers.vary ?? [], 'Accept-Encoding'].flat().join(', ');
    const text = await encodeText(Buffer.concat(parts));
    keep({ headers: { ...headers, vary }, text, until: performance.now() + maxAgeMs });
  });
}
