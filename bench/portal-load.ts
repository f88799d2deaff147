import { connect, type Socket } from 'node:net';

// Simulates thousands of portals in a separate process. Answers each message with a report.

/** Portals at a service: its port, the common part of their path, and the cookie of each. */
export type PortalGroup = { port: number; path: string; cookies: string[] };
/** `expect` makes a second report, when the text is at all streams. */
export type LoadCommand =
  | { type: 'hold'; group: PortalGroup }
  | { type: 'expect'; text: string }
  | { type: 'poll'; group: PortalGroup; everyMs: number }
  | { type: 'count' };
/** When it was made (ms since 1970), and how many requests were answered or refused until then. */
export type LoadReport = { at: number; answered: number; refused: number };

const atOnce = 100;
let [answered, refused] = [0, 0];
const report = () => {
  const at = performance.timeOrigin + performance.now();
  process.send?.({ at, answered, refused } satisfies LoadReport);
};

// As Chromium sends them.
const usualHeaders = [
  'Connection: keep-alive',
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  ...['Accept: */*', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty'],
  ...['Accept-Encoding: gzip, deflate, br, zstd', 'Accept-Language: id-ID,id;q=0.9,en;q=0.8'],
].join('\r\n');

const browserId = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
const asRequest = (path: string, port: number, cookie: string) =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${usualHeaders}\r\nCookie: ${cookie}\r\n\r\n`;
// One address has too few ports for all portals.
const connectFrom = (index: number, port: number) =>
  connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (index % 8)}` });

const lastNo: number[] = [];
let held: string[] = [];
let wanted: string | undefined;
let missing = new Set<number>();

// Ends with the first bytes. A stream that ends is opened again, as a portal does.
function openStream(group: PortalGroup, index: number): Promise<void> {
  const { port, path, cookies } = group;
  return new Promise((resolve) => {
    const socket = connectFrom(index, port);
    let rest = '';
    let isFirst = true;
    socket.setEncoding('latin1').setNoDelay(true);
    socket.write(
      asRequest(`${path}&browser=${browserId(index)}&after=${lastNo[index] ?? 0}`, port, cookies[index] ?? ''),
    );
    socket.on('data', (part: string) => {
      const text = rest + part;
      if (isFirst && !text.startsWith('HTTP/1.1 200 ')) refused++;
      isFirst = false;
      if (wanted && text.includes(wanted) && missing.delete(index) && missing.size === 0) report();
      // An event may arrive in parts.
      const whole = text.lastIndexOf('\n\n') + 1;
      const id = text.lastIndexOf('id: ', whole);
      if (id !== -1) lastNo[index] = Number.parseInt(text.slice(id + 4), 10);
      rest = text.slice(whole);
      resolve();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      resolve();
      setTimeout(() => openStream(group, index), Math.random() * 500);
    });
  });
}

async function hold(group: PortalGroup): Promise<void> {
  held = group.cookies;
  const waiting = held.keys();
  const openSome = async () => {
    for (const index of waiting) await openStream(group, index);
  };
  await Promise.all(Array.from({ length: atOnce }, openSome));
}

// Spreads the polls evenly over the interval, on keep-alive connections.
function poll({ port, path, cookies }: PortalGroup, everyMs: number): void {
  const requests = cookies.map((cookie, index) => asRequest(`${path}&browser=${browserId(index)}`, port, cookie));
  const sockets: Socket[] = [];
  const ask = (index: number) => {
    let socket = sockets[index];
    if (!socket?.writable) {
      socket = connectFrom(index, port);
      sockets[index] = socket;
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        if (chunk.includes(' 200 ')) answered++;
        else refused++;
      });
    }
    socket.write(requests[index] ?? '');
  };
  const started = performance.now();
  let done = 0;
  setInterval(() => {
    const due = ((performance.now() - started) / everyMs) * cookies.length;
    while (done < due) ask(done++ % cookies.length);
  }, 5);
}

async function obey(order: LoadCommand): Promise<void> {
  if (order.type === 'hold') await hold(order.group);
  if (order.type === 'expect') [wanted, missing] = [order.text, new Set(held.keys())];
  if (order.type === 'poll') poll(order.group, order.everyMs);
  report();
}

// Runs only in the forked process; the types are imported by portals.ts.
if (process.send) {
  process.on('message', (order: LoadCommand) => void obey(order));
  process.on('disconnect', () => process.exit(0));
}
