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
import type { CountedKey } from '#server/keys/count.ts';
import type { ApiKey } from '#server/principals.ts';
import { type CountedSend, countAndSend } from '#server/sends/count-and-send.ts';
import { type Draft, type Once, type Sent, sendNotification } from '#server/sends/send.ts';

/**
 * The caller of a procedure, by the fingerprint of its key. `key` is null for a send that
 * authenticates and counts itself. `idempotencyKey` is of a send.
 */
export type CallContext = {
  fingerprint: Buffer;
  key: ApiKey | null;
  requestId: string;
  idempotencyKey: string | null;
};

/** A send with status 200. `replayed`: it repeats an earlier answer, and nothing was sent. */
export type SendResult = { answer: SendAnswer; replayed: boolean; toEveryone: boolean };

/**
 * The result of a send. `counted` is undefined when the send did not count: it had a `key`, or its
 * fields were refused. It is null when there is no such key.
 */
export type Sending = { result: SendResult | Failure; counted?: CountedKey | null };

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
  if (!key) throw new Error('a read needs an authenticated key');
  const query = checkRead(input);
  if ('code' in query) return query;
  if (query.aksi === 'ping') return { ok: true, key: key.name, perusahaan: key.companyName };
  const employees = await listEmployeesForKey(key);
  return { ok: true, karyawan: employees.map(({ id, name, role }) => ({ user_id: id, nama: name, peran: role })) };
}

async function send({ ctx, input }: Call<ReceivedFields>): Promise<Sending> {
  const checked = checkSend(input);
  if ('code' in checked) return { result: checked };
  const { judul: title, isi: body, user_id: recipientId = 0, jenis: kind = 'info', url = null } = checked;
  const draft = { recipientId, title, body, kind, url };
  const once = ctx.idempotencyKey === null ? undefined : asOnce(ctx.idempotencyKey, draft);
  if (ctx.key) return { result: asResult(draft, await sendNotification(ctx.key, draft, ctx.requestId, once)) };
  const counted = await countAndSend(ctx.fingerprint, draft, ctx.requestId, once);
  return { result: counted ? asResult(draft, counted.outcome) : { code: 'key_rejected' }, counted };
}

type Outcome = CountedSend['outcome'];

function asResult({ recipientId }: Draft, outcome: Outcome): SendResult | Failure {
  if (typeof outcome === 'string') return failureOfSend[outcome];
  const { reach, replayed } = outcome;
  return { answer: { ok: true, terkirim: reach }, replayed, toEveryone: recipientId === 0 };
}

const failureOfSend: Record<Exclude<Outcome, Sent>, Failure> = {
  'over-limit': { code: 'rate_limited' },
  'not-in-company': { code: 'employee_not_in_company', field: 'user_id' },
  reused: { code: 'idempotency_key_reused' },
  revoked: { code: 'key_rejected' },
};

// A hash of the fields, not of the bytes: the boundary of a multipart form differs at every retry.
function asOnce(idempotencyKey: string, { title, body, recipientId, kind, url }: Draft): Once {
  const fields = JSON.stringify([title, body, recipientId, kind, url]);
  return { idempotencyKey, bodyHash: createHash('sha256').update(fields).digest() };
}
