import { createHash } from 'node:crypto';
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import type { Failure } from '#server/api/failures.ts';
import {
  checkRead,
  checkSend,
  type EmployeesAnswer,
  type PingAnswer,
  ReadAnswer,
  ReadInput,
  type ReceivedFields,
  SendAnswer,
  SendInput,
} from '#server/api/wire.ts';
import { listEmployeesForKey } from '#server/employees/employees.ts';
import type { ApiKey } from '#server/principals.ts';
import { type Draft, type Once, type Sent, sendNotification } from '#server/sends/send.ts';

/** The key that calls a procedure, and for a send its `Idempotency-Key`. */
export type CallContext = { key: ApiKey; requestId: string; idempotencyKey: string | null };

/** A send with status 200. `replayed`: it repeats an earlier answer, and nothing was sent. */
export type SendResult = { answer: SendAnswer; replayed: boolean; toEveryone: boolean };

const trpc = initTRPC.meta<OpenApiMeta>().context<CallContext>().create();

/** The one path of the public interface. */
export const notifPath = '/api/v1/notif.php';

const readMeta: OpenApiMeta = {
  openapi: {
    method: 'GET',
    path: notifPath,
    operationId: 'read',
    summary: 'Check the key, or list the employees',
    description:
      '`aksi=ping` checks that the key works; `aksi=karyawan` lists every employee of the company (active or not) by `user_id`. `aksi` must be given exactly once. `HEAD` gives the same status and headers without a body.',
    tags: ['Notifications'],
    errorResponses: [],
  },
};

const sendMeta: OpenApiMeta = {
  openapi: {
    method: 'POST',
    path: notifPath,
    operationId: 'send',
    summary: 'Send a notification',
    description:
      'Sends to one employee, or to every active employee when `user_id` is left out or 0. The body is a JSON object or form data of at most 64 KiB; query parameters are ignored.',
    tags: ['Notifications'],
    errorResponses: [],
    contentTypes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  },
};

/**
 * All that a key may do: ping and list (GET), send (POST). Only `handleNotif` calls it. A procedure
 * takes what came, checks it, and returns an answer or a failure. Answers are checked by the
 * compiler and by tests, not at run time: a list may have 100,000 employees.
 */
export const router = trpc.router({
  read: trpc.procedure.meta(readMeta).input(z.string()).query(read),
  send: trpc.procedure.meta(sendMeta).input(z.custom<ReceivedFields>()).mutation(send),
});

/** Makes a caller of the router for one request. */
export const createCaller = trpc.createCallerFactory(router);

/** The same procedures with their schemas, for the OpenAPI document. It is never called. */
export const documentedRouter = trpc.router({
  read: trpc.procedure.meta(readMeta).input(ReadInput).output(ReadAnswer).query(neverCalled),
  send: trpc.procedure.meta(sendMeta).input(SendInput).output(SendAnswer).mutation(neverCalled),
});

function neverCalled(): never {
  throw new Error('this router only describes the interface');
}

type Call<Input> = { ctx: CallContext; input: Input };

async function read({ ctx: { key }, input }: Call<string>): Promise<PingAnswer | EmployeesAnswer | Failure> {
  const query = checkRead(input);
  if ('code' in query) return query;
  if (query.aksi === 'ping') return { ok: true, key: key.name, perusahaan: key.companyName };
  const employees = await listEmployeesForKey(key);
  return { ok: true, karyawan: employees.map(({ id, name, role }) => ({ user_id: id, nama: name, peran: role })) };
}

async function send({ ctx, input }: Call<ReceivedFields>): Promise<SendResult | Failure> {
  const checked = checkSend(input);
  if ('code' in checked) return checked;
  const { judul: title, isi: body, user_id: recipientId = 0, jenis: kind = 'info', url = null } = checked;
  const draft = { recipientId, title, body, kind, url };
  const once = ctx.idempotencyKey === null ? undefined : asOnce(ctx.idempotencyKey, draft);
  const sent = await sendNotification(ctx.key, draft, ctx.requestId, once);
  if (typeof sent === 'string') return failureOfSend[sent];
  return { answer: { ok: true, terkirim: sent.reach }, replayed: sent.replayed, toEveryone: recipientId === 0 };
}

const failureOfSend: Record<Exclude<Awaited<ReturnType<typeof sendNotification>>, Sent>, Failure> = {
  'not-in-company': { code: 'employee_not_in_company', field: 'user_id' },
  reused: { code: 'idempotency_key_reused' },
  revoked: { code: 'key_rejected' },
};

// A hash of the fields, not of the bytes: the boundary of a multipart form differs at every retry.
function asOnce(idempotencyKey: string, { title, body, recipientId, kind, url }: Draft): Once {
  const fields = JSON.stringify([title, body, recipientId, kind, url]);
  return { idempotencyKey, bodyHash: createHash('sha256').update(fields).digest() };
}
