import type { IncomingMessage, ServerResponse } from 'node:http';
import { handleNotif, type NotifAnswer } from '#server/api/handle.ts';
import { bodyDeadlineMs, largestBodyBytes, lingerMs, type NotifRequest } from '#server/api/request.ts';

/** `handleNotif` for the front: the same function on a bare node:http request that came from `address`. */
export async function answerNode(request: IncomingMessage, response: ServerResponse, address: string): Promise<void> {
  const answer = await handleNotif(asNotifRequest(request, address));
  if (request.complete || !hasBody(request)) return writeAnswer(response, answer);
  // Closing while the client still writes would reset the connection and could take the answer with it.
  response.writeHead(answer.status, { ...answer.headers, Connection: 'close' });
  response.write(answer.body);
  await passOver(request);
  response.end();
}

// Throws away what still comes of a body, for a while.
function passOver(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, lingerMs);
    const done = () => {
      clearTimeout(late);
      resolve();
    };
    for (const event of ['end', 'close', 'error'] as const) request.once(event, done);
    request.on('data', (chunk: Buffer) => setImmediate(free, chunk));
    request.resume();
  });
}

// At once: left to be collected, what comes of bodies of 20 MB takes some 80 MB. Node 20 cannot.
function free({ buffer, byteLength }: Buffer): void {
  if (byteLength === buffer.byteLength && 'transfer' in buffer) buffer.transfer(0);
}

/** Writes a complete answer. */
export function writeAnswer(response: ServerResponse, { status, headers, body }: NotifAnswer): void {
  response.writeHead(status, headers);
  response.end(body);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function asNotifRequest(request: IncomingMessage, address: string): NotifRequest {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: request.method ?? 'GET',
    search: mark === -1 ? '' : (url.slice(mark).split('#')[0] ?? ''),
    address,
    header: (name) => readHeader(request, name),
    readBody: () => readBody(request),
  };
}

// Node keeps only the first of a repeated Authorization or Content-Type; another reader might keep the last. A
// proxy may double Authorization letter by letter, which changes nothing.
function readHeader(request: IncomingMessage, name: string): string | null {
  const values = request.headersDistinct[name];
  if (values === undefined) return null;
  return (name === 'authorization' ? [...new Set(values)] : values).join(', ');
}

const broken = new WeakSet<IncomingMessage>();

/** Says that the rest of a request's body will never come, to whoever reads it now or begins to later. */
export function breakBody(request: IncomingMessage): void {
  broken.add(request);
  request.emit('broken');
}

function readBody(request: IncomingMessage): Promise<Uint8Array | 'too-large' | 'incomplete'> {
  if (Number(request.headers['content-length'] ?? 0) > largestBodyBytes) return Promise.resolve('too-large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: Uint8Array | 'too-large' | 'incomplete') => {
      clearTimeout(late);
      request.pause();
      request.removeAllListeners('data');
      resolve(result);
    };
    const late = setTimeout(() => finish('incomplete'), bodyDeadlineMs);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestBodyBytes) finish('too-large');
      else chunks.push(chunk);
    });
    request.once('end', () => finish(Buffer.concat(chunks)));
    for (const event of ['error', 'broken']) request.once(event, () => finish('incomplete'));
    if (broken.has(request)) finish('incomplete');
  });
}
