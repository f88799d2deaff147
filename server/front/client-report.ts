import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sql } from '#db/client.ts';
import { readDatabaseId } from '#db/database-facts.ts';
import { authSecret, isSameSecret } from '#platform/config/identity.ts';
import { parseIpAddress } from '#platform/config/ip-address.ts';
import { clientAddressOf, isFromProxy } from '#platform/net/client-address.ts';
import { streamHeaders } from '#server/feed/answer.ts';

/** Where `notif doctor` asks how the service sees its request. */
export const clientReportPath = '/health/client';

// The header that shows that a request comes from somebody who knows AUTH_SECRET.
const doctorHeader = 'x-notif-doctor';

/** What the doctor gets at the address of streams: the first part at once, the last one later. */
export const probeParts = { first: 'event: first\ndata: 1\n\n', last: 'event: last\ndata: 2\n\n' };

/** What a process serves: the id of its pages' build, and the version. */
export type Build = { id: string; version: string };

/**
 * How the service sees a request: the other end of its connection, the client's address, and `X-Forwarded-For` as it
 * arrived. `isForwarded`: a proxy wrote `Forwarded`. `machine`: the address and port at which it came. `build` is null
 * until the pages are loaded; `databaseId` names the database of this process.
 */
export type ClientReport = Awaited<ReturnType<typeof reportClient>>;

const sign = (seconds: number) =>
  `${seconds}.${createHmac('sha256', authSecret()).update(`notif doctor ${seconds}`).digest('hex')}`;

/** What the doctor sends to be known, valid for five minutes. */
export const doctorHeaders = () => ({ [doctorHeader]: sign(Math.floor(Date.now() / 1000)) });

export function isFromDoctor({ headers }: IncomingMessage): boolean {
  const value = headers[doctorHeader];
  if (typeof value !== 'string') return false;
  const seconds = Number(/^(\d{1,12})\./.exec(value)?.[1]);
  if (!(Math.abs(Date.now() / 1000 - seconds) < 300)) return false;
  return isSameSecret(Buffer.from(sign(seconds)), Buffer.from(value));
}

export async function reportClient(request: IncomingMessage, build: Build | null) {
  const { socket, headers } = request;
  const forwarded = headers['x-forwarded-for'];
  return {
    machine: `${parseIpAddress(socket.localAddress ?? '') ?? 'unknown'}:${socket.localPort}`,
    build,
    peer: parseIpAddress(socket.remoteAddress ?? '') ?? 'unknown',
    peerPort: socket.remotePort ?? 0,
    isFromProxy: isFromProxy(socket),
    address: clientAddressOf(request),
    forwardedFor: typeof forwarded === 'string' ? forwarded : null,
    isForwarded: headers.forwarded !== undefined,
    databaseId: await readDatabaseId(sql()),
  };
}

/** Answers the doctor at the address of streams, in two parts 3 s apart. A proxy that buffers joins them. */
export function answerProbe(response: ServerResponse): void {
  response.writeHead(200, streamHeaders).write(probeParts.first);
  const timer = setTimeout(() => response.end(probeParts.last), 3000);
  response.once('close', () => clearTimeout(timer));
}
