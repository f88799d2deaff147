import { createHash } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { type Failure, type FailureParameters, isFailure } from '#server/api/failures.ts';
import { documentedOk, type Outcome, operation, outcomeOf, trpc, unstated } from '#server/api/procedure.ts';
import {
  asCodePoint,
  idProblemOf,
  isPlainName,
  kindOf,
  linkProblemOf,
  listNames,
  quoted,
  webhookOfFields,
} from '#server/api/received-kind.ts';
import {
  draftLimits,
  findBodyProblem,
  findLinkProblem,
  findTitleProblem,
  type LinkProblem,
  type TextProblem,
} from '#server/notifications/field-rules.ts';
import { asKind, kinds } from '#server/notifications/kinds.ts';
import {
  type CountedSend,
  countAndSend,
  type IdempotencyClaim,
  type KeyDraft,
  type KeySend,
  sendNotification,
} from '#server/sends/by-key.ts';
import { impossibleId } from '#server/sends/store.ts';

// The Indonesian names of the wire stay in server/api/. The domain has English names.

/** The source text of a number in a JSON body. As a number, `1e-400` would become 0. */
export class JsonNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/**
 * A field that did not come. `names`: the fields of the body, empty for a piece of a form without one. `parameters`:
 * those of the query, without `aksi`.
 */
export class Absent {
  readonly names: string[];
  readonly parameters: string[];
  constructor(names: string[], parameters: string[]) {
    this.names = names;
    this.parameters = parameters;
  }
}

type Problem = TextProblem | LinkProblem;
type Limits = { minimum?: number; maximum: number; patterns?: Set<RegExp> };

// A check that counts code points, as PostgreSQL does, and announces its limits to the document.
function within(field: string, limits: Limits, findProblem: (value: string) => Problem | null) {
  const check = z.check<string>(({ value, issues }) => {
    const problem = findProblem(value);
    if (problem) issues.push({ code: 'custom', input: value, params: asFailure(field, problem, value) });
  });
  check._zod.onattach.push(({ _zod: { bag } }) => Object.assign(bag, limits));
  return check;
}

const asFailure = (field: string, problem: Problem, value: string): Failure =>
  problem.code === 'not_internal'
    ? { code: 'url_not_internal', field, parameters: { received: linkProblemOf(value) } }
    : { code: `field_${problem.code}`, field, parameters: describeProblem(problem, value) };

/** The failure of fields that `SendInput` refused: the first in their order. Throws any other error again. */
export function failureOfInput(error: unknown, fields: ReceivedFields): Failure {
  const [issue] = error instanceof TRPCError && error.cause instanceof z.ZodError ? error.cause.issues : [];
  if (!issue) throw error;
  if (issue.code === 'custom') return issue.params as Failure;
  const field = issue.path[0] as keyof ReceivedFields;
  const value = fields[field];
  return value instanceof Absent
    ? { code: 'field_missing', field, parameters: describeFields(field, value.names) }
    : { code: 'field_not_text', field, parameters: { received: kindOf(value) } };
}

const describeFields = (field: string, names: string[]) => ({
  names: listNames(names),
  unnamed: listNames(names) ? undefined : 'no_fields',
  marked: names.includes(`\uFEFF${field}`) ? quoted(field) : undefined,
  webhook: webhookOfFields(names),
});

function describeProblem({ code, limit, length }: Problem, value: string): FailureParameters {
  if (code === 'blank') return value === '' ? { received: 'empty_text' } : { received: 'blank_text', length };
  if (code === 'forbidden_character')
    return { received: value.includes('\0') ? 'nul' : /[\b\f]/.test(value) ? 'lost_backslashes' : 'half_character' };
  return { limit, length };
}

// An integer is a JSON number, or its plain decimal form as a text. Everything else is a failure.
function checkUserId(value: unknown): number | Failure {
  if (value instanceof JsonNumber && isInteger(value.source)) return Number(value.source);
  if (typeof value === 'string' && /^(?:0|-?[1-9][0-9]*)$/.test(value)) return Number(value);
  const field = 'user_id';
  if (value instanceof Absent) return checkEveryone(value);
  if (value === null || value === '') return { code: 'user_id_empty', field, parameters: { received: kindOf(value) } };
  const received =
    typeof value === 'string' ? idProblemOf(value) : value instanceof JsonNumber ? 'fraction' : kindOf(value);
  return { code: 'user_id_not_integer', field, parameters: { received } };
}

// Everyone is reached only by a request that is understood as a whole (contract §6): the unknown may be the recipient.
function checkEveryone({ names, parameters }: Absent): 0 | Failure {
  const unknown = [...names.filter((name) => !isSendField(name)), ...parameters];
  if (unknown.length === 0) return 0;
  const named = unknown.find(isPlainName)?.replace(/\P{ASCII}/gu, asCodePoint);
  return { code: 'recipient_unclear', field: 'user_id', parameters: { received: named && quoted(named) } };
}

// `5.0` and `5e0` are integers, `1e-400` is not.
function isInteger(source: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(source) ?? [];
  const places = fraction.length - Number(exponent);
  if (places <= 0) return Number.isFinite(Number(source));
  const digits = whole + fraction;
  return /^0*$/.test(places >= digits.length ? digits : digits.slice(-places));
}

const everyone = { to: 'everyone' } as const;
const { title: titleLimit, body: bodyLimit, url: urlLimit } = draftLimits;
// Visible ASCII without a backslash, and no second `/`. Only for the document.
const visiblePath = /^\/([!-.0-[\]-~][!-[\]-~]*)?$/;

function writeNullable(schema: { anyOf?: object[] }): void {
  const [text] = schema.anyOf ?? [];
  delete schema.anyOf;
  Object.assign(schema, text, { type: ['string', 'null'] });
}

const fields = {
  judul: z
    .string()
    .check(within('judul', { minimum: 1, maximum: titleLimit }, findTitleProblem))
    .meta({ description: 'title', examples: ['Gaji November sudah masuk'] }),
  isi: z
    .string()
    .check(within('isi', { minimum: 1, maximum: bodyLimit }, findBodyProblem))
    .meta({ description: 'body', examples: ['Slip gaji dapat dilihat di portal.'] }),
  user_id: z
    .unknown()
    .transform((value, { issues }) => {
      const id = checkUserId(value);
      if (!isFailure(id)) return id;
      issues.push({ code: 'custom', input: value, params: id });
      return z.NEVER;
    })
    .optional()
    .meta({
      description: 'recipient',
      // The text form is in words only: of two types, generators make a class instead of a number.
      override: { type: 'integer', examples: [impossibleId] },
    }),
  // Not an enum: any value is accepted, and further kinds may be added.
  jenis: z
    .preprocess((value) => asKind(value) as string, z.string().meta({ examples: [...kinds] }))
    .optional()
    .meta({ description: 'kind' }),
  url: z
    .preprocess(
      (value) => (value instanceof Absent ? null : value),
      z
        .string()
        .check(within('url', { maximum: urlLimit, patterns: new Set([visiblePath]) }, findLinkProblem))
        .nullable(),
    )
    .optional()
    // Of `anyOf` with null, generators make a class instead of a text.
    .meta({ description: 'link', override: ({ jsonSchema }) => writeNullable(jsonSchema) }),
};

/** The names of the fields of a send. A body may carry others, which are ignored where it has a `user_id`. */
export const sendFields = Object.keys(fields) as (keyof typeof fields)[];

export const isSendField = (name: string): boolean => Object.hasOwn(fields, name);

/** Unchecked fields; missing ones are `Absent`. */
export type ReceivedFields = Record<keyof typeof fields, unknown>;

/**
 * The fields of a send (contract §6): validator and document. Texts are kept byte for byte. Everyone is meant by the
 * `user_id` 0, and by none where the request has nothing unknown.
 */
export const SendInput = z
  .object(fields)
  .transform(({ judul, isi, user_id = 0, jenis, url = null }): KeyDraft => {
    const recipients = user_id === 0 ? everyone : ({ to: 'one', employeeId: user_id } as const);
    return { recipients, title: judul, body: isi, kind: asKind(jenis), url };
  })
  .meta({ description: 'notification' });
/** What it accepts; a caller may pass fields of any type. */
export type SendInput = z.input<typeof SendInput>;

export const SendAnswer = z
  .object({
    ok: documentedOk(true),
    terkirim: z
      .int32()
      .min(0)
      .meta({ description: 'recipientCount', examples: [1] }),
  })
  .meta({ id: 'SendAnswer', description: 'sendAnswer', override: unstated });
export type SendAnswer = z.output<typeof SendAnswer>;

const meta = operation({
  method: 'POST',
  operationId: 'send',
  summary: 'sendSummary',
  description: 'send',
  // Not multipart, which is a sentence of the description: openapi-python-client fails on two forms of one schema.
  contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
});

/** Sends a notification. Without a key in the context, it authenticates and counts as well. */
export const send = trpc.procedure
  .meta(meta)
  .input(SendInput)
  .output(outcomeOf(SendAnswer))
  .mutation(async ({ ctx, input: draft }): Promise<Outcome<SendAnswer>> => {
    const claim = ctx.idempotencyKey === null ? undefined : asIdempotencyClaim(ctx.idempotencyKey, draft);
    if (ctx.key) return asOutcome(draft, await sendNotification(ctx.key, draft, ctx.requestId, claim));
    const counted = await countAndSend(ctx.fingerprint, draft, ctx.requestId, claim);
    return counted ? { ...asOutcome(draft, counted.outcome), counted } : { result: { code: 'key_rejected' }, counted };
  });

function asOutcome({ recipients }: KeyDraft, outcome: CountedSend['outcome']): Outcome<SendAnswer> {
  if (typeof outcome === 'string') return { result: failureOf[outcome] };
  const { reach, replayed } = outcome;
  return { result: { ok: true, terkirim: reach }, replayed, toEveryone: recipients.to === 'everyone' };
}

const failureOf: Record<Exclude<CountedSend['outcome'], KeySend>, Failure> = {
  'over-limit': { code: 'rate_limited' },
  'not-in-company': { code: 'employee_not_in_company', field: 'user_id' },
  reused: { code: 'idempotency_key_reused' },
  revoked: { code: 'key_rejected' },
};

/**
 * The claim of an `Idempotency-Key`: a hash of the fields, as the boundary of a form differs at every retry. Fields
 * after the first release count only when they came, so that a retry across an upgrade has its first hash.
 */
export function asIdempotencyClaim(
  idempotencyKey: string,
  { recipients, title, body, kind, url, ...later }: KeyDraft,
): IdempotencyClaim {
  const userId = recipients.to === 'one' ? recipients.employeeId : 0;
  const optional = Object.entries(later).filter(([, value]) => value !== undefined);
  const values = JSON.stringify([title, body, userId, kind, url, ...optional]);
  return { idempotencyKey, bodyHash: createHash('sha256').update(values).digest() };
}
