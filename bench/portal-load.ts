import { connect, type Socket } from 'node:net';

// Simulates thousands of portals in a separate process. Takes commands as messages and answers with reports.

/** Portals at a service: its port, the common part of their path, and the cookie of each. */
export type PortalGroup = { name: string; port: number; path: string; cookies: string[] };
/** Commands: hold streams, expect a text, await its arrival at all streams, poll, leave. */
export type LoadCommand =
  | ({ type: 'hold' } & PortalGroup)
  | { type: 'expect'; name: string; text: string }
  | { type: 'await'; name: string }
  | ({ type: 'poll'; everyMs: number } & PortalGroup)
  | { type: 'leave'; name: string };
/** The report after a command: when it was done (ms since 1970) and how many requests were answered or refused. */
export type LoadReport = { type: LoadCommand['type']; name: string; at: number; refused: number; answered: number };

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
// One address has too few ports for all portals.
const connectFrom = (index: number, port: number) =>
  connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (index % 8)}` });

/** The streams of a group; each reconnects when it ends, as a portal does. */
class Streams {
  private readonly group: PortalGroup;
  private readonly sockets: (Socket | undefined)[] = [];
  private readonly lastNo: number[] = [];
  private wanted: string | undefined;
  private arrived = new Set<number>();
  private gone = false;
  private onAll: (() => void) | undefined;
  private all: Promise<void> | undefined;
  refused = 0;

  constructor(group: PortalGroup) {
    this.group = group;
  }

  async open(): Promise<void> {
    let next = 0;
    const openSome = async () => {
      while (next < this.group.cookies.length) await this.openOne(next++);
    };
    await Promise.all(Array.from({ length: atOnce }, openSome));
  }

  private openOne(index: number): Promise<void> {
    const { port, path, cookies } = this.group;
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
        // An event may arrive in parts.
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
    if (this.arrived.size === this.group.cookies.length) this.onAll?.();
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

/** The polls of a group, spread evenly over the interval, on keep-alive connections. */
class Polls {
  private readonly group: PortalGroup;
  private readonly sockets: (Socket | undefined)[] = [];
  private readonly requests: string[];
  private readonly timer: NodeJS.Timeout;
  private done = 0;
  answered = 0;
  refused = 0;

  constructor(group: PortalGroup, everyMs: number) {
    this.group = group;
    this.requests = group.cookies.map((cookie, index) =>
      asRequest(`${group.path}&browser=${browserId(index)}`, group.port, cookie),
    );
    const started = performance.now();
    this.timer = setInterval(() => {
      const due = ((performance.now() - started) / everyMs) * group.cookies.length;
      while (this.done < due) this.ask(this.done++ % group.cookies.length);
    }, 5);
  }

  private ask(index: number): void {
    let socket = this.sockets[index];
    if (!socket?.writable) {
      socket = connectFrom(index, this.group.port);
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

async function obey(order: LoadCommand): Promise<void> {
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
  const group = streams.get(name) ?? polls.get(name);
  const answered = polls.get(name)?.answered ?? 0;
  if (type === 'leave') {
    group?.leave();
    streams.delete(name);
    polls.delete(name);
  }
  process.send?.({ type, name, at, refused: group?.refused ?? 0, answered } satisfies LoadReport);
}

// Runs only in the forked process; the types are imported by portals.ts.
if (process.send) {
  process.on('message', (order: LoadCommand) => void obey(order));
  process.on('disconnect', () => process.exit(0));
}
