import { createHash } from 'node:crypto';
import { initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { type FailureCode, FailureError } from '#server/api/failures.ts';
import { EmployeesAnswer, PingAnswer, ReadInput, SendAnswer, SendInput } from '#server/api/wire.ts';
import { listEmployeesForKey } from '#server/employees/employees.ts';
import type { ApiKey } from '#server/principals.ts';
import { type Draft, type Once, sendNotification } from '#server/sends/send.ts';

/** What a procedure knows besides its input: who asks, and for a send its `Idempotency-Key`; `replayed` tells that it was one before. */
export type Context = {
  key: ApiKey;
  requestId: string;
  idempotencyKey: string | null;
  replayed: boolean;
};

const trpc = initTRPC.meta<OpenApiMeta>().context<Context>().create();

/** The one path of the public interface. */
export const notifPath = '/api/v1/notif.php';

function refuse(code: FailureCode): never {
  throw new TRPCError({ code: 'BAD_REQUEST', cause: new FailureError({ code, field: fieldsAtFault[code] }) });
}
const fieldsAtFault: Partial<Record<FailureCode, string>> = { employee_not_in_company: 'user_id' };

// Of the meaning, not of the bytes: the boundary of a multipart form differs at every retry.
function asOnce(idempotencyKey: string, { title, body, recipientId, kind, url }: Draft): Once {
  const meaning = JSON.stringify([title, body, recipientId, kind, url]);
  return { idempotencyKey, bodyHash: createHash('sha256').update(meaning).digest() };
}

const read = trpc.procedure
  .meta({
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
  })
  .input(ReadInput);

const send = trpc.procedure
  .meta({
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
  })
  .input(SendInput);

async function answerRead({ ctx, input }: { ctx: Context; input: ReadInput }): Promise<PingAnswer | EmployeesAnswer> {
  if (input.aksi === 'ping') return { ok: true, key: ctx.key.name, perusahaan: ctx.key.companyName };
  const employees = await listEmployeesForKey(ctx.key);
  return { ok: true, karyawan: employees.map(({ id, name, role }) => ({ user_id: id, nama: name, peran: role })) };
}

async function answerSend({ ctx, input }: { ctx: Context; input: SendInput }): Promise<SendAnswer> {
  const { judul: title, isi: body, user_id: recipientId = 0, jenis: kind = 'info', url = null } = input;
  const draft = { recipientId, title, body, kind, url };
  const once = ctx.idempotencyKey === null ? undefined : asOnce(ctx.idempotencyKey, draft);
  const sent = await sendNotification(ctx.key, draft, ctx.requestId, once);
  if (sent === 'not-in-company') return refuse('employee_not_in_company');
  if (sent === 'reused') return refuse('idempotency_key_reused');
  if (sent === 'revoked') return refuse('key_rejected');
  ctx.replayed = sent.replayed;
  return { ok: true, terkirim: sent.reach };
}

/**
 * All that a key may do, and nothing else: ping and list (GET), send (POST). The handler calls it; there is no other way in. Answers are
 * held to their schemas by the compiler and by the tests, not again for every caller: a list may have 100,000 employees.
 */
export const router = trpc.router({ read: read.query(answerRead), send: send.mutation(answerSend) });

/** The same procedures with the schemas of their answers: what the OpenAPI document is generated from. */
export const documentedRouter = trpc.router({
  read: read.output(z.union([PingAnswer, EmployeesAnswer])).query(answerRead),
  send: send.output(SendAnswer).mutation(answerSend),
});

/** Makes a caller of the router for one request. */
export const createCaller = trpc.createCallerFactory(router);
