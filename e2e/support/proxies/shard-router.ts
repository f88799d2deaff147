import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A router in front of several servers. `unhinted` are the texts that named no server. */
export type ShardRouter = { port: number; unhinted: Set<string>; stop: () => Promise<void> };

const hint = /^\/\* pgdog_shard: (\d+) \*\//;

// A message of PostgreSQL's protocol: its letter and all of its bytes.
type Message = { kind: string; bytes: Buffer };

const message = (kind: string, body: Buffer): Buffer => {
  const head = Buffer.from(`${kind}\0\0\0\0`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const ready = (state: 'I' | 'T') => message('Z', Buffer.from(state));
const complete = (tag: string) => message('C', Buffer.from(`${tag}\0`));

/** Cuts what arrives into messages. */
function makeReader(): (chunk: Buffer) => Message[] {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const found: Message[] = [];
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const size = rest.readInt32BE(1) + 1;
      found.push({ kind: String.fromCharCode(rest[0] ?? 0), bytes: rest.subarray(0, size) });
      rest = rest.subarray(size);
    }
    return found;
  };
}

const textAt = (bytes: Buffer, from: number) => bytes.subarray(from, bytes.indexOf(0, from)).toString();

/**
 * Starts a router that sends each statement to the server of its hint, and one without a hint to the
 * first. It answers BEGIN itself: the first statement of a transaction names its server. The servers
 * trust this machine. It is for tests, in place of an engine.
 */
export async function startShardRouter(ports: number[]): Promise<ShardRouter> {
  const unhinted = new Set<string>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => serve(client, ports, unhinted, sockets));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    unhinted,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Link = { socket: Socket; isReady: Promise<void>; answersToSkip: number; parsesToSkip: number };

function serve(client: Socket, ports: number[], unhinted: Set<string>, sockets: Set<Socket>): void {
  const links = new Map<number, Link>();
  const prepared = new Map<string, { server: number; bytes: Buffer; on: Set<number> }>();
  const waiting: Message[] = [];
  let startup: Buffer | undefined;
  let chosen = 0;
  let transaction: number | null = null;
  let begin: Buffer | null = null;
  // From the end of a request to its ReadyForQuery further messages wait.
  let isAnswering = false;
  let isForwarding = false;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    const end = () => {
      sockets.delete(socket);
      for (const one of [client, ...[...links.values()].map((link) => link.socket)]) one.destroy();
    };
    socket
      .setNoDelay(true)
      .on('error', () => {})
      .on('close', end);
  };

  function linkTo(server: number): Link {
    const known = links.get(server);
    if (known) return known;
    const socket = connect(ports[server] ?? 0, '127.0.0.1');
    keep(socket);
    socket.write(startup ?? '');
    const read = makeReader();
    const link: Link = { socket, isReady: Promise.resolve(), answersToSkip: 1, parsesToSkip: 0 };
    link.isReady = new Promise((resolve) => {
      const take = ({ kind, bytes }: Message) => {
        const isEnd = kind === 'Z';
        if (link.answersToSkip === 0 && kind === '1' && link.parsesToSkip > 0) link.parsesToSkip -= 1;
        else if (link.answersToSkip === 0) client.write(bytes);
        else if (isEnd && --link.answersToSkip === 0) return resolve();
        if (!isEnd || link.answersToSkip > 0) return;
        transaction = bytes[5] === 0x49 ? null : server;
        isAnswering = false;
        void forward();
      };
      socket.on('data', (chunk) => read(chunk).forEach(take));
    });
    links.set(server, link);
    return link;
  }

  function choose(text: string): number {
    if (transaction !== null) return transaction;
    const [, named] = hint.exec(text) ?? [];
    if (named === undefined) unhinted.add(text);
    return Number(named ?? 0);
  }

  function serverOf({ kind, bytes }: Message): number {
    const first = textAt(bytes, 5);
    const second = () => textAt(bytes, 6 + Buffer.byteLength(first));
    if (kind === 'Q') return choose(first);
    if (kind === 'P') {
      const server = choose(second());
      prepared.set(first, { server, bytes: Buffer.from(bytes), on: new Set([server]) });
      return server;
    }
    if (kind !== 'B') return chosen;
    const statement = prepared.get(second());
    const server = transaction ?? statement?.server ?? chosen;
    if (statement && !statement.on.has(server)) {
      // COMMIT, for example, was prepared on another server.
      statement.on.add(server);
      linkTo(server).parsesToSkip += 1;
      linkTo(server).socket.write(statement.bytes);
    }
    return server;
  }

  // Answers a BEGIN, and the end of a transaction that had no statement.
  function answer({ kind, bytes }: Message): boolean {
    const text = kind === 'Q' ? textAt(bytes, 5).trim().toLowerCase() : '';
    const isEnd = begin !== null && (text === 'commit' || text === 'rollback');
    if (!text.startsWith('begin') && !isEnd) return false;
    begin = isEnd ? null : Buffer.from(bytes);
    client.write(Buffer.concat([complete(isEnd ? text : 'begin'), ready(isEnd ? 'I' : 'T')]));
    return true;
  }

  async function forward(): Promise<void> {
    if (isForwarding) return;
    isForwarding = true;
    while (!isAnswering) {
      const next = waiting.shift();
      if (!next) break;
      if (answer(next)) continue;
      chosen = serverOf(next);
      const link = linkTo(chosen);
      await link.isReady;
      if (begin) {
        link.answersToSkip += 1;
        link.socket.write(begin);
        [begin, transaction] = [null, chosen];
      }
      isAnswering = next.kind === 'Q' || next.kind === 'S';
      link.socket.write(next.bytes);
    }
    isForwarding = false;
  }

  const read = makeReader();
  client.on('data', (chunk) => {
    if (startup) waiting.push(...read(chunk));
    else {
      startup = Buffer.from(chunk);
      client.write(Buffer.concat([message('R', Buffer.alloc(4)), ready('I')]));
    }
    void forward();
  });
  keep(client);
}
