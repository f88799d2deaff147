import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { isFromOwnPage } from '#server/accounts/sessions/cookie.ts';

const maxIdleMs = 2000;
const maxMs = 10_000;
// RFC 6455, section 1.3.
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const textByte = 0x81;
const closeFrame = Buffer.from([0x88, 0]);

/** Whether a poll asks for its answer over a WebSocket, from a page of this service. */
export function isFeedUpgrade({ method, headers, httpVersion }: IncomingMessage): boolean {
  const { connection, upgrade, origin, host, 'sec-fetch-site': site, 'sec-websocket-version': version } = headers;
  if (!/\bupgrade\b/i.test(connection ?? '') || upgrade?.toLowerCase() !== 'websocket') return false;
  if (version !== '13' || !headers['sec-websocket-key']) return false;
  // Browsers always send Origin here. Nothing else keeps pages of other sites from using the cookie of a bell.
  const isOwn = origin !== undefined && isFromOwnPage({ origin, host, site: String(site ?? '') });
  return isOwn && method === 'GET' && httpVersion === '1.1';
}

/**
 * Answers a request for a WebSocket with one text message, on a socket that has left node:http. Reads
 * no frames: the first bytes are the client's close. The connection ends after 2 s in which nothing moves, and after
 * 10 s in any case.
 */
export function sendMessage(socket: Socket, { headers }: IncomingMessage, text: string): void {
  addAbortSignal(AbortSignal.timeout(maxMs), socket);
  socket.setTimeout(maxIdleMs, () => socket.destroy());
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${acceptSuffix}`).digest('base64');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'));
  socket.write(encodeMessage(text));
  // Firefox loses a message when the close follows it at once, so the client closes first.
  socket.once('data', () => socket.end(closeFrame)).once('end', () => socket.end());
}

function encodeMessage(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([textByte, length]), payload]);
  const isShort = length < 2 ** 16;
  const head = Buffer.alloc(isShort ? 4 : 10);
  head.set([textByte, isShort ? 126 : 127]);
  if (isShort) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}
