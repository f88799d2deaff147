import type { Socket } from 'node:net';
import type { Caller } from '#e2e/support/data/callers.ts';

// Texts of usual length.
const title = 'Gaji bulan November sudah masuk rekening';
const body = 'Slip gaji dapat dilihat di portal. Hubungi bagian keuangan bila ada angka yang keliru.';

/** Returns the bytes of a send; `serial` makes its Idempotency-Key unique. Employee 0 stands for all. */
export function sendRequestOf(url: string, { key, userId }: Caller, serial: number): string {
  const head = `Host: ${new URL(url).host}\r\nX-API-Key: ${key}\r\nUser-Agent: bench\r\nAccept: */*\r\n`;
  const json = `{"judul":"${title}","isi":"${body}","user_id":${userId},"jenis":"gaji","url":"/portal/notifications"}`;
  return `POST /api/v1/notif.php HTTP/1.1\r\n${head}Content-Type: application/json\r\nIdempotency-Key: ${process.pid}-${Date.now()}-${serial}\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
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
