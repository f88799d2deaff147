import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import type { Failure } from '#server/api/failures.ts';
import type { CountedKey } from '#server/keys/count.ts';
import type { ApiKey } from '#server/principals.ts';

export const notifPath = '/api/v1/notif.php';

/** The caller of a procedure. `key` is null for a send that authenticates and counts itself. */
export type CallContext = { fingerprint: Buffer; key: ApiKey | null; requestId: string; idempotencyKey: string | null };

/**
 * The outcome of a procedure. `counted`: it counted the request itself; null without such a key. `replayed`: the answer
 * is that of an earlier send. `toEveryone`: it is of a send to all active employees.
 */
export type Outcome<Answer> = {
  result: Answer | Failure;
  counted?: CountedKey | null;
  replayed?: boolean;
  toEveryone?: boolean;
};

/** tRPC for the public interface, without its own HTTP handlers, which convert values. */
export const trpc = initTRPC.meta<OpenApiMeta>().context<CallContext>().create();

/** The output of a procedure. Not checked here but by the compiler and tests: a list may have 100,000 employees. */
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

/** The field `ok` of an answer, in words: generators fail on a boolean with `const`, or make an enum of it. */
export const documentedOk = (value: boolean) =>
  z.boolean().meta({ description: value ? 'alwaysTrue' : 'alwaysFalse', examples: [value] });

/** Omits additionalProperties: generated R fails on `true`; generated Go and Java reject a new field on `false`. */
export const unstated = { additionalProperties: undefined };
