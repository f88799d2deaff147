import { connect, type Socket } from 'node:net';
import type { Made } from '#e2e/fuzz/requests.ts';

/** A response. Status 0: the connection closed without one. */
export type Came = { status: number; headers: Map<string, string>; body: string };

const timeoutMs = 20_000;

/** A client that uses each connection for as many requests as the service allows. */
export class Connection {
  private readonly port: number;
  private socket: Socket | undefined;
  private received: Buffer = Buffer.alloc(0);
  private wake: (() => void) | undefined;

  constructor(port: number) {
    this.port = port;
  }

  /** Sends a request and reads its answer. */
  async ask({ bytes, method, ends }: Made): Promise<Came> {
    this.open().write(bytes);
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const came = this.take(method);
      if (came) {
        if (ends || came.headers.get('connection') === 'close') this.close();
        return came;
      }
      if (this.socket?.closed || performance.now() > deadline) break;
      await this.more();
    }
    this.close();
    return { status: 0, headers: new Map(), body: this.received.toString('latin1') };
  }

  /** Ends the connection; the next request makes a new one. */
  close(): void {
    this.socket?.destroy();
    this.socket = undefined;
  }

  private open(): Socket {
    if (this.socket && !this.socket.destroyed && this.socket.writable) return this.socket;
    const socket = connect({ host: '127.0.0.1', port: this.port, noDelay: true });
    this.received = Buffer.alloc(0);
    socket.on('data', (part) => {
      this.received = this.received.length === 0 ? part : Buffer.concat([this.received, part]);
      this.wake?.();
    });
    socket.on('error', () => {});
    socket.on('close', () => this.wake?.());
    this.socket = socket;
    return socket;
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, timeoutMs);
      this.wake = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }

  private take(method: string): Came | null {
    const end = this.received.indexOf('\r\n\r\n');
    if (end === -1) return null;
    const [first = '', ...lines] = this.received.toString('latin1', 0, end).split('\r\n');
    const status = Number(first.split(' ')[1]);
    if (status === 100) {
      this.received = this.received.subarray(end + 4);
      return this.take(method);
    }
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    if (headers.get('transfer-encoding') === 'chunked' && method !== 'HEAD')
      return this.takeChunks(status, headers, end + 4);
    const length = method === 'HEAD' ? 0 : Number(headers.get('content-length') ?? 0);
    if (this.received.length < end + 4 + length) return null;
    const body = this.received.toString('utf8', end + 4, end + 4 + length);
    this.received = this.received.subarray(end + 4 + length);
    return { status, headers, body };
  }

  private takeChunks(status: number, headers: Map<string, string>, start: number): Came | null {
    const parts: Buffer[] = [];
    for (let at = start; ; ) {
      const end = this.received.indexOf('\r\n', at);
      const length = Number.parseInt(this.received.toString('latin1', at, end), 16);
      const next = end + 2 + length + 2;
      if (end === -1 || this.received.length < next) return null;
      parts.push(this.received.subarray(end + 2, end + 2 + length));
      at = next;
      if (length > 0) continue;
      this.received = this.received.subarray(at);
      return { status, headers, body: Buffer.concat(parts).toString('utf8') };
    }
  }
}
