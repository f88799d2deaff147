import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Caller } from '#harness/callers.ts';

/** The repeated request: a ping, or a send to one employee with a new Idempotency-Key each time. */
export type Operation = 'ping' | 'send';

/** A closed-loop load: each connection sends its next request after the previous answer. */
export type Load = {
  url: string;
  operation: Operation;
  callers: Caller[];
  connections: number;
  seconds: number;
  /** The first caller. Rounds continue where the last one ended, so that rate limits recover. */
  from: number;
};

/** The result of a load in which every answer was 200; `latencies` in ms, one per answer. */
export type Answered = { count: number; seconds: number; next: number; latencies: number[] };

/** Runs a load in a worker thread. Rejects when a connection breaks or an answer is not 200. */
export function runLoad(load: Load): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: load });
    worker.once('message', resolve).once('error', reject);
  });
}

// Texts of usual length: 40 and 90 characters.
const title = 'Gaji bulan November sudah masuk rekening';
const body = 'Slip gaji dapat dilihat di portal. Hubungi bagian keuangan bila ada angka yang keliru.';

/** Returns the bytes of a request; `serial` makes the Idempotency-Key of a send unique. */
export function requestOf(url: string, operation: Operation, { key, userId }: Caller, serial: number): string {
  const head = `Host: ${url.slice('http://'.length)}\r\nX-API-Key: ${key}\r\nUser-Agent: bench\r\nAccept: */*\r\n`;
  if (operation === 'ping') return `GET /api/v1/notif.php?aksi=ping HTTP/1.1\r\n${head}\r\n`;
  const json = `{"judul":"${title}","isi":"${body}","user_id":${userId},"jenis":"gaji","url":"/portal/notifications"}`;
  return `POST /api/v1/notif.php HTTP/1.1\r\n${head}Content-Type: application/json\r\nIdempotency-Key: ${process.pid}-${Date.now()}-${serial}\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
}

function open({ url }: Load): Promise<Socket> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

// A response is complete after Content-Length bytes, or after its last chunk (Next sends chunks).
function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= end + 4 + Number(length);
}

/** Reads the next complete response of a connection. */
export function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const take = (part: Buffer) => {
      received += part.toString('latin1');
      if (!isComplete(received)) return;
      socket.off('data', take).off('close', broken);
      resolve(received);
    };
    const broken = () => reject(new Error('a connection was closed'));
    socket.on('data', take).once('close', broken);
  });
}

async function drive(load: Load): Promise<Answered> {
  const { callers, connections, seconds } = load;
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(load)));
  const latencies: number[] = [];
  let serial = load.from;
  const began = performance.now();
  const until = began + seconds * 1000;
  const run = async (socket: Socket) => {
    for (;;) {
      const caller = callers[serial % callers.length];
      const sentAt = performance.now();
      if (!caller || sentAt >= until) return;
      socket.write(requestOf(load.url, load.operation, caller, serial++));
      const answer = await readAnswer(socket);
      if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`not answered 200: ${answer}`);
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(sockets.map(run));
  const took = (performance.now() - began) / 1000;
  for (const socket of sockets) socket.destroy();
  return { count: latencies.length, seconds: took, next: serial, latencies };
}

if (!isMainThread && parentPort) parentPort.postMessage(await drive(workerData as Load));
