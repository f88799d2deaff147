import { request as ask, createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePort } from '#e2e/support/service/service.ts';

/** An answer that may be changed before it is passed on. */
export type Passing = { status: number; headers: IncomingHttpHeaders; body: string };

/** A request that may be changed before it is passed on. */
export type Coming = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };

/** A proxy before the service under test that changes requests and answers with `spoil`. */
export type Spoiler = { url: string; received: Coming[]; close: () => void };

/** Changes a request before it is passed on, or its answer. */
export type Spoil = { before?: (request: Coming) => void; after?: (answer: Passing, request: Coming) => void };

/** Starts such a proxy. */
export async function startSpoiler(service: string, { before, after }: Spoil): Promise<Spoiler> {
  const received: Coming[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const request = { method, url, headers: { ...incoming.headers }, body: await buffer(incoming) };
    received.push({ ...request, headers: { ...request.headers } });
    before?.(request);
    const answer = await passOn(service, request);
    after?.(answer, request);
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...headers } = answer.headers;
    outgoing.writeHead(answer.status, headers);
    outgoing.end(method === 'HEAD' ? '' : answer.body);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${port}`, received, close: () => server.close() };
}

function passOn(service: string, { method, url, headers, body }: Coming): Promise<Passing> {
  // A compressed answer could not be changed.
  const { 'transfer-encoding': _, 'accept-encoding': __, ...passed } = headers;
  const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
  return new Promise((resolve, reject) => {
    const asked = ask(`${service}${url}`, { method, headers: { ...passed, ...length } }, async (response) => {
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: (await buffer(response)).toString('utf8'),
      });
    });
    asked.once('error', reject);
    asked.end(body);
  });
}
