import { once } from 'node:events';
import { connect as connectSocket, isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Address, Host } from '#db/address.ts';

const longestDialMs = 2000;

/** No connection could be had, or it ended before it was one, so nothing was asked yet. `TLS_REFUSED` does not heal by waiting. */
export class DialError extends Error {
  readonly code: 'CONNECTION_REFUSED' | 'TLS_REFUSED';
  constructor(message: string, code: DialError['code'] = 'CONNECTION_REFUSED') {
    super(message);
    this.code = code;
  }
}

/** Answers the host to connect to, or throws; after a `forget` it has to look again. */
export type HostChoice = { choose: () => Promise<Host>; forget: () => void };

/**
 * How the driver comes by its connections: within 2 s each, encrypted where the address says so. Left to itself, the driver (3.4.9) tries
 * again for ever and at once when a server hangs up before it has answered (a proxy whose server is gone), or when there are several hosts;
 * here such a connection ends with an error.
 */
export function dialer(address: Address, { choose, forget }: HostChoice): () => Promise<Socket> {
  const dialChosen = async () => dial(await choose(), address);
  const dialAnother = async (error: Error) => {
    forget();
    if (address.hosts.length === 1) throw error;
    return dialChosen();
  };
  return () => dialChosen().catch(dialAnother).catch(failWith);
}

async function dial(host: Host, { tls, isTlsWished }: Address): Promise<Socket> {
  const socket = endEarlyAsError(connectSocket(host));
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
    const secured = endEarlyAsError(Object.assign(connectTls({ ...tls, ...name, socket }), host));
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

function endEarlyAsError<S extends Socket>(socket: S): S {
  const refuse = () => socket.destroy(new DialError('the server ended the connection before it was ready'));
  const look = (chunk: Buffer) => {
    if (!chunk.subarray(-readyForQuery.length).equals(readyForQuery)) return;
    socket.off('end', refuse);
    socket.off('data', look);
  };
  return socket.on('end', refuse).on('data', look);
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
