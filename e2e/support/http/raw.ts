import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';

type RawAnswer = ReturnType<typeof parse> & { received: string; closed: boolean; ms: number };

const version = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
/** The headers that ask for a WebSocket, with the example of RFC 6455, section 1.3. */
export const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', ...version };

export function connectTo(url: string, options: Partial<TcpNetConnectOpts> = {}): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port), ...options }).on('error', () => {});
}

/** Writes bytes to an address or a socket, and reads until it ends or `isDone`. `after` may write more. */
export function askRaw(
  to: string | Socket,
  bytes: string | Buffer,
  deadlineMs = 20_000,
  after: (socket: Socket) => void = () => {},
  isDone = isWhole,
): Promise<RawAnswer> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const socket = typeof to === 'string' ? connectTo(to) : to.on('error', () => {});
    let received = '';
    let closed = false;
    const finish = () => {
      clearTimeout(late);
      socket.destroy();
      resolve({ ...parse(received), received, closed, ms: performance.now() - started });
    };
    const late = setTimeout(() => reject(new Error(`no whole answer in ${deadlineMs} ms: ${received}`)), deadlineMs);
    socket.setEncoding('latin1');
    socket.on('connect', () => {
      socket.write(bytes);
      after(socket);
    });
    socket.on('data', (part) => {
      received += part;
      if (isDone(received)) setTimeout(finish, 50);
    });
    socket.on('close', () => {
      closed = true;
      finish();
    });
  });
}

/** Writes a byte a second. */
export const drip = (byte: string) => (socket: Socket) => {
  const timer = setInterval(() => socket.writable && socket.write(byte), 1000);
  socket.once('close', () => clearInterval(timer));
};

function split(received: string): [string, string] {
  // An interim "100 Continue" precedes the response.
  const text = received.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 4)];
}

function isWhole(received: string): boolean {
  const [head, body] = split(received);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  return length !== undefined && body.length >= Number(length);
}

function parse(received: string) {
  const [head, body] = split(received);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => [line.split(': ')[0] ?? '', line.split(': ').slice(1).join(': ')]));
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: Buffer.from(body, 'latin1').toString('utf8') };
}
