import { connect, type Socket } from 'node:net';

// Thousands of browsers with the portal open, in a process of their own so that they do not disturb what is measured. Driven by messages
// (`Order`), answered by messages (`Told`).

/** Browsers at one service: its port, the path they ask for (without what differs from one to the next), and the cookie of each. */
export type Crowd = { name: string; port: number; path: string; cookies: string[] };
/** What the load can be told: to hold streams, to look out for a text, to say when it arrived at all of them, to poll, to go. */
export type Order =
  | ({ type: 'hold' } & Crowd)
  | { type: 'expect'; name: string; text: string }
  | { type: 'await'; name: string }
  | ({ type: 'poll'; everyMs: number } & Crowd)
  | { type: 'leave'; name: string };
/** What it tells: the order is done, at which moment (ms since 1970, with fractions), and what became of it. */
export type Told = { type: Order['type']; name: string; at: number; refused: number; answered: number };

const atOnce = 100;
const now = () => performance.timeOrigin + performance.now();
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
// Ports of one address are not enough for everybody.
const connectFrom = (index: number, port: number) =>
  connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (index % 8)}` });

/** Streams of one crowd; each comes back when it ends, as a portal does. */
class Streams {
  private readonly crowd: Crowd;
  private readonly sockets: (Socket | undefined)[] = [];
  private readonly lastNo: number[] = [];
  private wanted: string | undefined;
  private arrived = new Set<number>();
  private gone = false;
  private onAll: (() => void) | undefined;
  private all: Promise<void> | undefined;
  refused = 0;

  constructor(crowd: Crowd) {
    this.crowd = crowd;
  }

  async open(): Promise<void> {
    let next = 0;
    const openSome = async () => {
      while (next < this.crowd.cookies.length) await this.openOne(next++);
    };
    await Promise.all(Array.from({ length: atOnce }, openSome));
  }

  private openOne(index: number): Promise<void> {
    const { port, path, cookies } = this.crowd;
    return new Promise((resolve) => {
      const socket = connectFrom(index, port);
      let rest = '';
      let answered = false;
      this.sockets[index] = socket;
      socket.setEncoding('latin1').setNoDelay(true);
      socket.write(
        asRequest(`${path}&browser=${browserId(index)}&after=${this.lastNo[index] ?? 0}`, port, cookies[index] ?? ''),
      );
      socket.on('data', (part: string) => {
        const text = rest + part;
        if (!answered && !text.startsWith('HTTP/1.1 200 ')) this.refused += 1;
        answered = true;
        if (this.wanted && text.includes(this.wanted)) this.note(index);
        // An event may come in pieces.
        const whole = text.lastIndexOf('\n\n') + 1;
        const id = text.lastIndexOf('id: ', whole);
        if (id !== -1) this.lastNo[index] = Number.parseInt(text.slice(id + 4), 10);
        rest = text.slice(whole);
        resolve();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        resolve();
        if (!this.gone) setTimeout(() => this.gone || this.openOne(index), Math.random() * 500);
      });
    });
  }

  private note(index: number): void {
    this.arrived.add(index);
    if (this.arrived.size === this.crowd.cookies.length) this.onAll?.();
  }

  expect(text: string): void {
    this.arrived = new Set();
    this.wanted = text;
    this.all = new Promise((resolve) => {
      this.onAll = resolve;
    });
  }

  async allArrived(): Promise<void> {
    await this.all;
  }

  leave(): void {
    this.gone = true;
    for (const socket of this.sockets) socket?.destroy();
  }
}

/** Polls of one crowd, spread evenly over the interval; each keeps its connection as long as the service lets it. */
class Polls {
  private readonly crowd: Crowd;
  private readonly sockets: (Socket | undefined)[] = [];
  private readonly requests: string[];
  private readonly timer: NodeJS.Timeout;
  private done = 0;
  answered = 0;
  refused = 0;

  constructor(crowd: Crowd, everyMs: number) {
    this.crowd = crowd;
    this.requests = crowd.cookies.map((cookie, index) =>
      asRequest(`${crowd.path}&browser=${browserId(index)}`, crowd.port, cookie),
    );
    const started = performance.now();
    this.timer = setInterval(() => {
      const due = ((performance.now() - started) / everyMs) * crowd.cookies.length;
      while (this.done < due) this.ask(this.done++ % crowd.cookies.length);
    }, 5);
  }

  private ask(index: number): void {
    let socket = this.sockets[index];
    if (!socket?.writable) {
      socket = connectFrom(index, this.crowd.port);
      this.sockets[index] = socket;
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        if (chunk.includes(' 200 ')) this.answered += 1;
        else this.refused += 1;
      });
    }
    socket.write(this.requests[index] ?? '');
  }

  leave(): void {
    clearInterval(this.timer);
    for (const socket of this.sockets) socket?.destroy();
  }
}

const streams = new Map<string, Streams>();
const polls = new Map<string, Polls>();

async function obey(order: Order): Promise<void> {
  const { type, name } = order;
  if (type === 'hold') {
    const held = new Streams(order);
    streams.set(name, held);
    await held.open();
  }
  if (type === 'expect') streams.get(name)?.expect(order.text);
  if (type === 'await') await streams.get(name)?.allArrived();
  if (type === 'poll') polls.set(name, new Polls(order, order.everyMs));
  const at = now();
  const crowd = streams.get(name) ?? polls.get(name);
  const answered = polls.get(name)?.answered ?? 0;
  if (type === 'leave') {
    crowd?.leave();
    streams.delete(name);
    polls.delete(name);
  }
  process.send?.({ type, name, at, refused: crowd?.refused ?? 0, answered } satisfies Told);
}

// Only as a process of its own; its types are imported elsewhere.
if (process.send) {
  process.on('message', (order: Order) => void obey(order));
  process.on('disconnect', () => process.exit(0));
}
