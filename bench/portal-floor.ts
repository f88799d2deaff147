import { createServer, type ServerResponse } from 'node:http';

// The floor for streams and polls: bare node:http with the service's headers, pings and fan-out,
// without sessions, database or resuming.

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-store, no-transform',
  'X-Content-Type-Options': 'nosniff',
  'X-Accel-Buffering': 'no',
};
const slots = Array.from({ length: 8 }, () => new Set<ServerResponse>());
let opened = 0;
let second = 0;
let sent = 0;

const server = createServer({ keepAliveTimeout: 20_000 }, (request, response) => {
  if (request.method === 'POST') {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => (body += part));
    return void request.on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}');
      const event = Buffer.from(`id: ${++sent}\ndata: ${body}\n\n`);
      for (const slot of slots) for (const stream of slot) stream.write(event);
    });
  }
  if (!request.url?.startsWith('/portal/stream')) {
    const body = `{"newest":${sent},"items":[],"withdrawn":[],"unread":null}`;
    const json = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-store' };
    return void response.writeHead(200, { ...json, 'Content-Length': body.length }).end(body);
  }
  const slot = slots[opened++ % slots.length];
  request.socket.setNoDelay(true);
  response.writeHead(200, headers);
  response.write(': open\n\n');
  slot?.add(response);
  response.once('close', () => slot?.delete(response));
});

setInterval(() => {
  second = (second + 1) % slots.length;
  for (const stream of slots[second] ?? []) stream.write(`event: ping\nid: ${sent}\ndata: ${sent}\n\n`);
}, 1000);
process.on('SIGTERM', () => process.exit(0));
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.stdout.write('the floor is running\n'));
