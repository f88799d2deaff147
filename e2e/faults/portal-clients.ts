import { type ChildProcess, fork } from 'node:child_process';
import { connect } from 'node:net';

// Many portals with an open stream, in a process of their own. They reconnect as
// `app/portal/live/feed/feed-schedule.ts` does and count missed and duplicate notifications. All
// notifications of the company must be broadcasts.

type Order = { type: 'open'; port: number; cookies: string[] } | { type: 'report' };

/**
 * The state of all portals: how many have a current stream (`live`), when the last one became
 * current (`lastLiveAt`, ms since 1970), the lowest number that one has (`least`), and counts of
 * errors.
 */
type PortalsReport = { live: number; lastLiveAt: number; least: number; missed: number; doubled: number };

const maxOpening = 100;
const firstPauseMs = 1000;
const maxPauseMs = 10_000;

class Portal {
  cursor = 0;
  live = false;
  missed = 0;
  doubled = 0;
  private failures = 0;
  private rest = '';
  private wait: number | null = null;
  private whole = false;
  private readonly place: number;
  private readonly port: number;
  private readonly cookie: string;

  constructor(place: number, port: number, cookie: string) {
    this.place = place;
    this.port = port;
    this.cookie = cookie;
  }

  /** Opens a stream. Resolves with its first bytes, or when it is closed. */
  open(): Promise<void> {
    // One address has too few ports for all portals.
    const localAddress = `127.0.0.${2 + (this.place % 8)}`;
    const socket = connect({ host: '127.0.0.1', port: this.port, localAddress });
    Object.assign(this, { rest: '', wait: null, whole: false });
    const lines = [`GET /portal/stream?after=${this.cursor} HTTP/1.1`, 'Host: x', `Cookie: ${this.cookie}`];
    socket.setEncoding('latin1').write(`${lines.join('\r\n')}\r\n\r\n`);
    return new Promise((resolve) => {
      socket.on('error', () => {});
      socket.on('data', (part: string) => {
        this.read(part);
        resolve();
      });
      socket.on('close', () => {
        resolve();
        this.reconnect();
      });
    });
  }

  private read(part: string): void {
    this.whole = part.endsWith('0\r\n\r\n');
    const events = (this.rest + part).split('\n\n');
    this.rest = events.pop() ?? '';
    for (const event of events) {
      const news = /id: (\d+)\ndata: \{/.exec(event);
      const sign = /event: ping\nid: (\d+)/.exec(event);
      const retry = /retry: (\d+)/.exec(event);
      if (retry) this.wait = Number(retry[1]);
      if (news) this.take(Number(news[1]));
      if (sign) this.arrive(Number(sign[1]));
    }
  }

  private take(no: number): void {
    if (no <= this.cursor) this.doubled += 1;
    else this.missed += no - this.cursor - 1;
    this.cursor = Math.max(no, this.cursor);
  }

  private arrive(no: number): void {
    this.missed += Math.max(0, no - this.cursor);
    this.cursor = Math.max(no, this.cursor);
    this.failures = 0;
    if (!this.live) lastLiveAt = Date.now();
    this.live = true;
  }

  private reconnect(): void {
    this.live = false;
    if (!this.whole) this.failures += 1;
    const pause = Math.min(maxPauseMs, firstPauseMs * 2 ** (this.failures - 1)) * (0.5 + Math.random() / 2);
    setTimeout(() => this.open(), this.wait ?? (this.whole ? Math.random() * 500 : pause));
  }
}

let portals: Portal[] = [];
let lastLiveAt = 0;

async function openAll({ port, cookies }: Extract<Order, { type: 'open' }>): Promise<void> {
  portals = cookies.map((cookie, place) => new Portal(place, port, cookie));
  let next = 0;
  const openSome = async () => {
    for (let portal = portals[next++]; portal; portal = portals[next++]) await portal.open();
  };
  await Promise.all(Array.from({ length: maxOpening }, openSome));
}

function report(): PortalsReport {
  const sum = (of: (portal: Portal) => number) => portals.reduce((all, portal) => all + of(portal), 0);
  return {
    live: sum(({ live }) => Number(live)),
    lastLiveAt,
    least: portals.reduce((least, { cursor }) => Math.min(least, cursor), Number.POSITIVE_INFINITY),
    missed: sum(({ missed }) => missed),
    doubled: sum(({ doubled }) => doubled),
  };
}

async function obey(order: Order): Promise<void> {
  if (order.type === 'open') await openAll(order);
  process.send?.({ type: order.type, ...report() });
}

// Runs only in the forked process; the rest is imported by tests.
if (process.send && process.argv[1] === import.meta.filename) {
  process.on('message', (order: Order) => void obey(order));
  process.on('disconnect', () => process.exit(0));
}

/** Controls the process of portals. `process` can be paused, resumed and killed. */
export type PortalClients = {
  process: ChildProcess;
  open: (port: number, cookies: string[]) => Promise<PortalsReport>;
  report: () => Promise<PortalsReport>;
};

/** Starts the process of portals. */
export function startPortalClients(): PortalClients {
  const child = fork(import.meta.filename, { execArgv: [] });
  const tell = (order: Order): Promise<PortalsReport> =>
    new Promise((resolve) => {
      const hear = (told: PortalsReport & { type: string }) => {
        if (told.type !== order.type) return;
        child.off('message', hear);
        resolve(told);
      };
      child.on('message', hear);
      child.send(order);
    });
  return {
    process: child,
    open: (port, cookies) => tell({ type: 'open', port, cookies }),
    report: () => tell({ type: 'report' }),
  };
}
