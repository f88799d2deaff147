import { once } from 'node:events';
import { connect as connectSocket, isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Address, Host } from '#platform/config/database.ts';

/** No connection could be made, so no statement was sent. `TLS_REFUSED` is an error of the settings. */
export class DialError extends Error {
  readonly code: 'CONNECTION_REFUSED' | 'TLS_REFUSED';
  constructor(message: string, code: DialError['code'] = 'CONNECTION_REFUSED') {
    super(message);
    this.code = code;
  }
}

/** A connection in use ended. It is unknown whether its last statements were executed. */
class LostConnection extends Error {
  readonly code = 'CONNECTION_CLOSED';
}

/** After a lost connection the driver reconnects, or it fails permanently and this is called. */
export type WhenLost = 'reconnect' | (() => void);

/** `choose` returns the host to connect to, or rejects. After `forget` it searches again. */
export type HostChoice = { choose: () => Promise<Host>; forget: () => void };

/**
 * Makes the driver's `socket` option: connects within 2 s, with TLS if the address requires it; of several hosts it
 * tries a second one. After a failure the socket fails on the first write (README.md, "Failed attempts").
 */
export function dialer(
  address: Address,
  { choose, forget }: HostChoice,
  whenLost: WhenLost = () => {},
): () => Promise<Socket> {
  const onReady = (socket: Socket) => {
    if (whenLost !== 'reconnect') failPermanently(socket, whenLost);
  };
  const dialChosen = async () => dial(await choose(), address, onReady);
  const dialAnother = async (error: Error) => {
    forget();
    if (address.hosts.length === 1) throw error;
    return dialChosen();
  };
  return () => dialChosen().catch(dialAnother).catch(makeFailingSocket);
}

async function dial(host: Host, { tls, isTlsOptional }: Address, onReady: (socket: Socket) => void): Promise<Socket> {
  const socket = failOnEarlyEnd(connectSocket(host), onReady);
  // The driver puts `host` and `port` of the socket into its errors.
  Object.assign(socket, host);
  const signal = AbortSignal.timeout(2000);
  try {
    await once(socket, 'connect', { signal });
    if (!tls) return socket;
    const answered = once(socket, 'data', { signal });
    socket.write(sslRequest);
    const [answer] = (await answered) as [Buffer];
    if (answer[0] !== sslAccepted && isTlsOptional) return socket;
    if (answer[0] !== sslAccepted) throw new DialError('the server does not offer TLS', 'TLS_REFUSED');
    socket.removeAllListeners();
    // Without `host`, Node compares the certificate of an IP address with "localhost".
    const name = isIP(host.host) ? { host: host.host } : { servername: host.host };
    const secured = failOnEarlyEnd(Object.assign(connectTls({ ...tls, ...name, socket }), host), onReady);
    await once(secured, 'secureConnect', { signal });
    return secured;
  } catch (error) {
    socket.destroy();
    if (error instanceof Error && error.name === 'AbortError') throw new DialError('no connection within 2 s');
    throw error;
  }
}

// PostgreSQL's protocol: SSLRequest and its answer "S", ReadyForQuery when idle and in a failed transaction.
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const sslAccepted = 0x53;
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const readyInFailedTransaction = Buffer.from([0x5a, 0, 0, 0, 5, 0x45]);

// README.md, "Clean end before ready".
function failOnEarlyEnd<S extends Socket>(socket: S, onReady: (socket: Socket) => void): S {
  const refuse = () => socket.destroy(new DialError('the server ended the connection before it was ready'));
  const readUntilReady = (chunk: Buffer) => {
    if (!chunk.subarray(-readyForQuery.length).equals(readyForQuery)) return;
    socket.off('end', refuse);
    socket.off('data', readUntilReady);
    onReady(socket);
  };
  return socket.on('end', refuse).on('data', readUntilReady);
}

// Keeps the driver from replacing a lost connection (README.md, "Lost connections"): it never sees the socket close.
// Each later write fails, as if the server had refused the statement and were ready for the next one.
function failPermanently(socket: Socket, onLost: () => void): void {
  let isEndedByDriver = false;
  const end = socket.end.bind(socket) as () => Socket;
  socket.end = (...args) => {
    isEndedByDriver = true;
    return Reflect.apply(end, socket, args);
  };
  // In one turn of the event loop: otherwise the driver would read the second as a response without rows.
  const refuse = (ready: Buffer) => {
    socket.emit('error', new LostConnection('the connection to the database ended'));
    socket.emit('data', ready);
  };
  let transactionEnd: NodeJS.Timeout | undefined;
  const refuseAll = () => {
    refuse(readyInFailedTransaction);
    clearTimeout(transactionEnd);
    // The driver releases a connection only outside a transaction, which ends after 100 ms of silence.
    transactionEnd = setTimeout(refuse, 100, readyForQuery).unref();
  };
  socket.once('end', () => {
    if (!isEndedByDriver) socket.destroy(new LostConnection('the database ended the connection'));
  });
  socket.prependOnceListener('error', () => {
    if (isEndedByDriver) return;
    socket.removeAllListeners('close');
    socket.write = () => {
      process.nextTick(refuseAll);
      return true;
    };
    process.nextTick(refuseAll);
    onLost();
  });
}

// README.md, "Failed attempts".
function makeFailingSocket(error: Error): Socket {
  const failing = new Socket();
  failing.write = () => {
    failing.destroy(error);
    return true;
  };
  return failing;
}
