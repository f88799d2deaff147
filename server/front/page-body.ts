import type { IncomingMessage } from 'node:http';
import { maxSignInBodyBytes } from '#server/accounts/limits.ts';
import { logoPath, maxLogoBytes } from '#server/companies/logo.ts';
import { importPath, maxImportBodyBytes } from '#server/employees/imports.ts';
import { isForwardedAction } from '#server/front/forwarded-action.ts';
import { truncationOf } from '#server/front/node-http.ts';
import { isCheapJson } from '#server/json-cost.ts';

/** Why a request does not go on to the pages. */
export type PageRefusal = { status: number; headers: Record<string, string>; text: string };

const maxActionBodyBytes = 16 * 1024;
// The largest argument of a page's own action has 1,000 numbers.
const maxValues = 4000;
const maxArguments = 4;
const maxFormFields = 32;
const actionIdLength = 42;

/**
 * Judges a request for a page by its head, before anything of its body is read. A body has a known
 * length: at most 16 KiB at actions and below `/api/auth/`, 1 MiB at the import, 256 KiB at the
 * upload of a logo, none elsewhere.
 * No page takes forms and other changes, so they are 405. `actions` has the ids of all actions; an
 * unknown one gets what Next would answer, without its work.
 */
export function refuseHead(request: IncomingMessage, path: string, actions: ReadonlySet<string>): PageRefusal | null {
  const { method, headers } = request;
  const length = Number(headers['content-length'] ?? 0);
  // Node reads and drops the rest of a body, however long it is.
  const refusal = (status: number, more: Record<string, string> = {}, text = ''): PageRefusal => {
    const isShort = length <= maxActionBodyBytes && headers['transfer-encoding'] === undefined;
    return { status, headers: isShort ? more : { ...more, Connection: 'close' }, text };
  };
  if (headers['transfer-encoding'] !== undefined) return isForwardedAction(request) ? null : refusal(413);
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS')
    return length > 0 ? refusal(413, { Connection: 'close' }) : null;
  if (path.startsWith('/api/')) {
    if (length > maxSignInBodyBytes) return refusal(413);
    return typeOf(request).startsWith('multipart/') ? refusal(415) : null;
  }
  if (path === importPath) {
    if (length > maxImportBodyBytes) return refusal(413);
    return length > 0 && !typeOf(request).startsWith('application/json') ? refusal(415) : null;
  }
  if (path === logoPath) {
    if (length > maxLogoBytes) return refusal(413);
    return length > 0 && !typeOf(request).startsWith('image/png') ? refusal(415) : null;
  }
  const action = headers['next-action'];
  if (method !== 'POST' || typeof action !== 'string') return refusal(405, { Allow: 'GET, HEAD' });
  if (!actions.has(action)) {
    const unknown = { 'x-nextjs-action-not-found': '1', 'Content-Type': 'text/plain' };
    return action.length === actionIdLength
      ? refusal(409, unknown, 'Server Action unavailable.')
      : refusal(400, unknown, 'Invalid Server Action request.');
  }
  if (length > maxActionBodyBytes) return refusal(413);
  // React sends other forms of a body for arguments that no page has, such as files.
  return typeOf(request).startsWith('text/plain') ? null : refusal(415);
}

/**
 * Reads the body of an action or a sign-in and judges what its decoding would cost. The request
 * can then be read again from the start. Bodies of other requests are left alone. `truncated`: the
 * body never became complete, and `refuseTruncated` answers.
 */
export async function refuseBody(request: IncomingMessage, path: string): Promise<PageRefusal | 'truncated' | null> {
  const isAction = request.headers['next-action'] !== undefined && !path.startsWith('/api/');
  if (path === importPath || path === logoPath || request.headers['transfer-encoding'] !== undefined) return null;
  if (!isAction && Number(request.headers['content-length'] ?? 0) === 0) return null;
  const body = await peekBody(request);
  if (body === 'truncated') return body;
  const isFine = isAction ? hasPlainArguments(body) : isCheapSignIn(body, typeOf(request));
  return isFine ? null : { status: 400, headers: {}, text: '' };
}

const typeOf = ({ headers }: IncomingMessage) => headers['content-type']?.trim().toLowerCase() ?? '';

function isCheapSignIn(body: Buffer, type: string): boolean {
  if (!type.startsWith('application/x-www-form-urlencoded')) return isCheapJson(body, maxFormFields);
  let fields = 1;
  for (const byte of body) if (byte === 0x26) fields++;
  return fields <= maxFormFields;
}

/**
 * Whether these are the arguments of an action as our pages write them: a JSON list of plain
 * values. React's format also has references between parts, to files, to streams and to other
 * actions (`"$1"`, `"$F1"`, `"$K1"`), which no page needs.
 */
function hasPlainArguments(body: Buffer): boolean {
  if (!isCheapJson(body, maxValues)) return false;
  let given: unknown;
  try {
    given = JSON.parse(body.toString());
  } catch {
    return false;
  }
  return Array.isArray(given) && given.length <= maxArguments && isPlain(given);
}

// The text `$$…` is a text that begins with a dollar. The others are values that JSON lacks.
const plainText = /^(?!\$)|^\$(?:\$|(?:undefined|NaN|-?Infinity|-0)$|D)/;

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return plainText.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isPlain);
}

// Takes the whole body out of the request and puts it back, before the request has ended.
function peekBody(request: IncomingMessage): Promise<Buffer | 'truncated'> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length === 0) return Promise.resolve(Buffer.alloc(0));
  if (truncationOf(request)) return Promise.resolve('truncated');
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const finish = (result: Buffer | 'truncated') => {
      request.off('readable', take);
      for (const event of ['error', 'close', 'truncated']) request.off(event, fail);
      resolve(result);
    };
    const fail = () => finish('truncated');
    const take = () => {
      for (let part: Buffer | null = request.read(); part !== null; part = request.read()) {
        parts.push(part);
        size += part.length;
      }
      if (size < length) return;
      const body = Buffer.concat(parts);
      request.unshift(body);
      // Next's route handlers refuse a stream that somebody has read from.
      Object.defineProperty(request, 'readableDidRead', { value: false });
      finish(body);
    };
    for (const event of ['error', 'close', 'truncated']) request.once(event, fail);
    request.on('readable', take);
  });
}
