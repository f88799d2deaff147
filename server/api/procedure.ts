import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import type { Failure } from '#server/api/failures.ts';
import type { CountedKey } from '#server/keys/count.ts';
import type { ApiKey } from '#server/principals.ts';

export const notifPath = '/api/v1/notif.php';

/**
 * The caller of a procedure, by the fingerprint of its key. `key` is null for a send that
 * authenticates and counts itself. `idempotencyKey` is of a send.
 */
export type CallContext = { fingerprint: Buffer; key: ApiKey | null; requestId: string; idempotencyKey: string | null };

/**
 * The outcome of a procedure: an answer or a failure. `counted` is set when the procedure counted
 * the request itself, and null when there is no such key. `replayed`: the answer is that of an
 * earlier send, and nothing was sent. `toEveryone`: it is of a send to all active employees.
 */
export type Outcome<Answer> = {
  result: Answer | Failure;
  counted?: CountedKey | null;
  replayed?: boolean;
  toEveryone?: boolean;
};

/** tRPC for the public interface, without its own HTTP handlers, which convert values. */
export const trpc = initTRPC.meta<OpenApiMeta>().context<CallContext>().create();

/**
 * The output of a procedure with this schema of its answer. The OpenAPI document refers to the
 * schema. The compiler and tests check answers, not this code: a list may have 100,000 employees.
 */
export const outcomeOf = <Answer extends z.ZodType>(answer: Answer) =>
  z.custom<Outcome<z.output<Answer>>>().meta({ override: { $ref: `#/components/schemas/${answer.meta()?.id}` } });

/** The parts of the OpenAPI document that all operations have in common. */
export const operation = (openapi: {
  method: 'GET' | 'POST';
  operationId: string;
  summary: string;
  description: string;
  contentTypes?: NonNullable<OpenApiMeta['openapi']>['contentTypes'];
}): OpenApiMeta => ({ openapi: { ...openapi, path: notifPath, tags: ['Notifications'], errorResponses: [] } });

/**
 * Describes the field `ok` of an answer. The document describes its value in words: generators fail
 * on a boolean with `const`, or make an enum of it.
 */
export const documentedOk = (value: boolean) =>
  z.boolean().meta({ description: value ? 'alwaysTrue' : 'alwaysFalse', examples: [value] });

/**
 * Leaves it unsaid whether an answer may have further fields, which it may. Generated R fails on
 * `true`, and generated Go and Java reject a new field on `false`.
 */
export const unstated = { additionalProperties: undefined };
