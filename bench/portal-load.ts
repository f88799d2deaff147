import { connect, type Socket } from 'node:net';

// Simulates thousands of portals in a separate process. Takes commands as messages and answers with reports.

/** Portals at a service: its port, the common part of their path, and the cookie of each. */
export type Portals = { port: number; path: string; cookies: string[] };
/** Commands: hold streams, expect a text, await its arrival at all streams, poll, leave. */
export type LoadCommand =
  | ({ type: 'hold' } & Portals)
  | { type: 'expect'; text: string }
  | { type: 'await' }
  | ({ type: 'poll'; everyMs: number } & Portals)
  | { type: 'leave' };
/** The report after a command: when it was done (ms since 1970) and how many requests were answered or refused. */
export type LoadReport = { type: LoadCommand['type']; at: number; refused: number; answered: number };

const atOnce = 100;
// As Chromium sends them.
const usualHeaders = [
  'Connection: keep-alive',
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Accept: */*',
  'Sec-Fetch-Site: same-origin',
  'Sec-Fetch-Mode: cors',
  'Sec-Fetch-Dest: empty',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Accept-Language: id-ID,id;q=0.9,en;q=0.8',
].join('\r\n');

const browserId = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
const asRequest = (path: string, port: number, cookie: string) =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${usualHeaders}\r\nCookie: ${cookie}\r\n\r\n`;
// One address has too few ports for all portals.
const connectFrom = (index: number, port: number) =>
  connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (index % 8)}` }).on('error', () => {});

/** Portals that hold streams or poll, until they leave together. */
class Crowd {
  private readonly sockets: (Socket | undefined)[] = [];
  private readonly lastNo: number[] = [];
  private wanted: string | undefined;
  private missing = new Set<number>();
  private timer: NodeJS.Timeout | undefined;
  private isGone = false;
  private onAll = () => {};
  all = Promise.resolve();
  answered = 0;
  refused = 0;

  /** Opens a stream for each of these, beside those that are open. Each reconnects when it ends, as a portal does. */
  async hold({ port, path, cookies }: Portals): Promise<void> {
    const first = this.sockets.length;
    let next = 0;
    const openSome = async () => {
      while (next < cookies.length) {
        const cookie = cookies[next] ?? '';
        await this.openStream(first + next++, path, port, cookie);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, openSome));
  }

  private openStream(index: number, path: string, port: number, cookie: string): Promise<void> {
    return new Promise((resolve) => {
      const socket = connectFrom(index, port);
      let rest = '';
      let isAnswered = false;
      this.sockets[index] = socket;
      socket.setEncoding('latin1').setNoDelay(true);
      const own = `${path}&browser=${browserId(index)}&after=${this.lastNo[index] ?? 0}`;
      socket.write(asRequest(own, port, cookie));
      socket.on('data', (part: string) => {
        const text = rest + part;
        if (!isAnswered && !text.startsWith('HTTP/1.1 200 ')) this.refused += 1;
        isAnswered = true;
        if (this.wanted && text.includes(this.wanted)) this.missing.delete(index);
        if (this.missing.size === 0) this.onAll();
        // An event may arrive in parts.
        const whole = text.lastIndexOf('\n\n') + 1;
        const id = text.lastIndexOf('id: ', whole);
        if (id !== -1) this.lastNo[index] = Number.parseInt(text.slice(id + 4), 10);
        rest = text.slice(whole);
        resolve();
      });
      socket.on('close', () => {
        resolve();
        setTimeout(() => this.isGone || this.openStream(index, path, port, cookie), Math.random() * 500);
      });
    });
  }

  expect(text: string): void {
    this.wanted = text;
    this.missing = new Set(this.sockets.keys());
    this.all = new Promise((resolve) => {
      this.onAll = resolve;
    });
  }

  /** Polls, spread evenly over the interval, on keep-alive connections. */
  poll({ port, path, cookies }: Portals, everyMs: number): void {
    const requests = cookies.map((cookie, index) => asRequest(`${path}&browser=${browserId(index)}`, port, cookie));
    const started = performance.now();
    let done = 0;
    this.timer = setInterval(() => {
      const due = ((performance.now() - started) / everyMs) * requests.length;
      for (; done < due; done++) {
        const index = done % requests.length;
        this.connected(index, port).write(requests[index] ?? '');
      }
    }, 5);
  }

  private connected(index: number, port: number): Socket {
    const open = this.sockets[index];
    if (open?.writable) return open;
    const socket = connectFrom(index, port);
    this.sockets[index] = socket;
    return socket.on('data', (chunk) => {
      if (chunk.includes(' 200 ')) this.answered += 1;
      else this.refused += 1;
    });
  }

  leave(): void {
    this.isGone = true;
    clearInterval(this.timer);
    for (const socket of this.sockets) socket?.destroy();
  }
}

let crowd = new Crowd();

async function obey(order: LoadCommand): Promise<void> {
  if (order.type === 'hold') await crowd.hold(order);
  if (order.type === 'expect') crowd.expect(order.text);
  if (order.type === 'await') await crowd.all;
  if (order.type === 'poll') crowd.poll(order, order.everyMs);
  const { refused, answered } = crowd;
  const at = performance.timeOrigin + performance.now();
  if (order.type === 'leave') {
    crowd.leave();
    crowd = new Crowd();
  }
  process.send?.({ type: order.type, at, refused, answered } satisfies LoadReport);
}

// Runs only in the forked process; the types are imported by portals.ts.
if (process.send) {
  process.on('message', (order: LoadCommand) => void obey(order));
  process.on('disconnect', () => process.exit(0));
}
