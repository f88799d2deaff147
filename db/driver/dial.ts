import { once } from 'node:events';
import { connect as connectSocket, isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Address, Host } from '#server/database-url.ts';

const longestDialMs = 2000;

/** No connection could be had, or it ended before it was one, so nothing was asked yet. `TLS_REFUSED` does not heal by waiting. */
export class DialError extends Error {
  readonly code: 'CONNECTION_REFUSED' | 'TLS_REFUSED';
  constructor(message: string, code: DialError['code'] = 'CONNECTION_REFUSED') {
    super(message);
    this.code = code;
  }
}

/** The database, or the way to it, ended a connection that was in use. Whether what was asked over it was done is not known. */
class LostConnection extends Error {
  readonly code = 'CONNECTION_CLOSED';
}

/** What happens when a connection is lost: the driver makes another in its place, or none, and this is called. */
export type WhenLost = 'reconnect' | (() => void);

/** Answers the host to connect to, or throws; after a `forget` it has to look again. */
export type HostChoice = { choose: () => Promise<Host>; forget: () => void };

/**
 * How the driver comes by its connections: within 2 s each, encrypted where the address says so. Left to itself, the driver (3.4.9) tries
 * again for ever and at once when a server hangs up before it has answered (a proxy whose server is gone), or when there are several hosts;
 * here such a connection ends with an error.
 */
export function dialer(
  address: Address,
  { choose, forget }: HostChoice,
  whenLost: WhenLost = () => {},
): () => Promise<Socket> {
  const onReady = (socket: Socket) => {
    if (whenLost !== 'reconnect') loseForGood(socket, whenLost);
  };
  const dialChosen = async () => dial(await choose(), address, onReady);
  const dialAnother = async (error: Error) => {
    forget();
    if (address.hosts.length === 1) throw error;
    return dialChosen();
  };
  return () => dialChosen().catch(dialAnother).catch(failWith);
}

type OnReady = (socket: Socket) => void;

async function dial(host: Host, { tls, isTlsWished }: Address, onReady: OnReady): Promise<Socket> {
  const socket = endEarlyAsError(connectSocket(host), onReady);
  // The driver names them in its errors.
  Object.assign(socket, host);
  const signal = AbortSignal.timeout(longestDialMs);
  try {
    await once(socket, 'connect', { signal });
    if (!tls) return socket;
    const asked = once(socket, 'data', { signal });
    socket.write(tlsRequest);
    const [answer] = (await asked) as [Buffer];
    if (answer[0] !== 0x53 && isTlsWished) return socket;
    if (answer[0] !== 0x53) throw new DialError('the server does not offer TLS', 'TLS_REFUSED');
    socket.removeAllListeners();
    // Without a host Node would compare the certificate of an IP address with "localhost".
    const name = isIP(host.host) ? { host: host.host } : { servername: host.host };
    const secured = endEarlyAsError(Object.assign(connectTls({ ...tls, ...name, socket }), host), onReady);
    await once(secured, 'secureConnect', { signal });
    return secured;
  } catch (error) {
    socket.destroy();
    if (error instanceof Error && error.name === 'AbortError') throw new DialError('no connection within 2 s');
    throw error;
  }
}

const tlsRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const readyInFailedTransaction = Buffer.from([0x5a, 0, 0, 0, 5, 0x45]);
const quietMs = 100;

function endEarlyAsError<S extends Socket>(socket: S, onReady: OnReady): S {
  const refuse = () => socket.destroy(new DialError('the server ended the connection before it was ready'));
  const look = (chunk: Buffer) => {
    if (!chunk.subarray(-readyForQuery.length).equals(readyForQuery)) return;
    socket.off('end', refuse);
    socket.off('data', look);
    onReady(socket);
  };
  return socket.on('end', refuse).on('data', look);
}

/**
 * The driver (3.4.9) connects again in place of a connection that ended, and is not fit for it: what it is given between the error and the
 * end of a connection is answered as if it had found no rows; a transaction that then rolls back writes to a socket that is not there, which
 * ends the process; one that goes on does so outside of a transaction, on a connection that others use. So to the driver the
 * connection never ends: whatever it writes to it from now on fails, as if the server had refused it and were ready for more.
 */
function loseForGood(socket: Socket, onLost: () => void): void {
  let isLeft = false;
  const end = socket.end.bind(socket) as () => Socket;
  socket.end = (...args) => {
    isLeft = true;
    return Reflect.apply(end, socket, args);
  };
  // Both in one turn: readiness alone would be the answer to whatever had been asked meanwhile.
  const refuse = (ready: Buffer) => {
    socket.emit('error', new LostConnection('the connection to the database ended'));
    socket.emit('data', ready);
  };
  let rest: NodeJS.Timeout | undefined;
  const refuseAll = () => {
    refuse(readyInFailedTransaction);
    clearTimeout(rest);
    // The driver gives a connection free only when no transaction is open on it: this one's is over when it asks nothing more.
    rest = setTimeout(refuse, quietMs, readyForQuery).unref();
  };
  socket.once('end', () => {
    if (!isLeft) socket.destroy(new LostConnection('the database ended the connection'));
  });
  socket.prependOnceListener('error', () => {
    if (isLeft) return;
    socket.removeAllListeners('close');
    socket.write = () => {
      process.nextTick(refuseAll);
      return true;
    };
    process.nextTick(refuseAll);
    onLost();
  });
}

// The driver does not count a connection as ended unless its socket fails after it was handed over. And not before the driver has written
// to it: a connection that ends between the driver's deciding to write and its doing so never writes again (3.4.9).
function failWith(error: Error): Socket {
  const failed = new Socket();
  failed.write = () => {
    failed.destroy(error);
    return true;
  };
  return failed;
}
