import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Caller } from '#harness/callers.ts';

/** Which request is repeated: a ping, or a send to one employee with an idempotency key of its own each time. */
export type Operation = 'ping' | 'send';

/** Closed-loop load: each connection sends its next request when the answer to the one before has come. */
export type Load = {
  url: string;
  operation: Operation;
  callers: Caller[];
  connections: number;
  seconds: number;
  /** Which caller begins, so that rounds go on with keys that have rested. */
  from: number;
};

/** What a load found: `latencies` in ms, one for each answer. Every answer was 200, or the run was refused. */
export type Answered = { count: number; seconds: number; next: number; latencies: number[] };

/** Runs a load in a thread of its own. Rejects when a connection breaks or anything but 200 comes back. */
export function runLoad(load: Load): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: load });
    worker.once('message', resolve).once('error', reject);
  });
}

// A text of usual length: 40 and 90 characters.
const title = 'Gaji bulan November sudah masuk rekening';
const body = 'Slip gaji dapat dilihat di portal. Hubungi bagian keuangan bila ada angka yang keliru.';

/** The bytes of one request; `serial` makes the idempotency key of a send its own. */
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

// An answer is complete when as many bytes have come as its Content-Length says, or the last of its chunks (Next sends chunks).
function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= end + 4 + Number(length);
}

/** The whole of the next answer on a connection, as text. */
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
