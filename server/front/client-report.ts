import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clientAddressOf, isFromProxy } from '#server/client-address.ts';
import { authSecret } from '#server/env.ts';
import { readAddress } from '#server/ip-address.ts';

/** Where `notif doctor` asks how the service sees its request. */
export const clientReportPath = '/health/client';

/** The header that shows that a request comes from somebody who knows AUTH_SECRET. */
export const doctorHeader = 'x-notif-doctor';

/**
 * How the service sees a request: the other end of its connection, whether that is a trusted proxy,
 * the client's address, and `X-Forwarded-For` as it arrived.
 */
export type ClientReport = {
  peer: string;
  peerPort: number;
  isFromProxy: boolean;
  address: string;
  forwardedFor: string | null;
};

const maxAgeSeconds = 300;

/** The value of `doctorHeader`, valid for five minutes. */
export function signDoctor(seconds = Math.floor(Date.now() / 1000)): string {
  return `${seconds}.${createHmac('sha256', authSecret()).update(`notif doctor ${seconds}`).digest('hex')}`;
}

/** The report about a request with a valid `doctorHeader`; null about any other. */
export function reportClient(request: IncomingMessage): ClientReport | null {
  const { socket, headers } = request;
  const given = headers[doctorHeader];
  if (typeof given !== 'string' || !isSigned(given)) return null;
  const forwarded = headers['x-forwarded-for'];
  return {
    peer: readAddress(socket.remoteAddress ?? '') ?? 'unknown',
    peerPort: socket.remotePort ?? 0,
    isFromProxy: isFromProxy(socket),
    address: clientAddressOf(request),
    forwardedFor: typeof forwarded === 'string' ? forwarded : null,
  };
}

function isSigned(given: string): boolean {
  const seconds = Number(/^(\d{1,12})\./.exec(given)?.[1]);
  if (!(Math.abs(Date.now() / 1000 - seconds) < maxAgeSeconds)) return false;
  const [own, theirs] = [Buffer.from(signDoctor(seconds)), Buffer.from(given)];
  return own.length === theirs.length && timingSafeEqual(own, theirs);
}
