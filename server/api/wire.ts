import { z } from 'zod';
import type { Failure, FailureCode } from '#server/api/failures.ts';
import { kindOf, linkProblemOf, listNames, quoted } from '#server/api/received-kind.ts';
import {
  draftLimits,
  findBodyProblem,
  findLinkProblem,
  findTitleProblem,
  type LinkProblem,
} from '#server/notifications/field-rules.ts';
import { asKind, kinds } from '#server/notifications/kinds.ts';
import type { TextProblem } from '#server/notifications/text-rules.ts';

// The Indonesian words of the public interface live in this file and nowhere else; `e2e/structure/house.test.ts` holds that.

const { title: titleLimit, body: bodyLimit, url: urlLimit } = draftLimits;

type Context = z.RefinementCtx;

function refuse(context: Context, code: FailureCode, figures?: Failure['figures']): never {
  context.addIssue({ code: 'custom', message: code, params: { figures } });
  return z.NEVER;
}

const forbiddenIn = (value: string) => (value.includes('\0') ? 'nul' : 'half_character');

function figuresOf({ code, limit, length }: TextProblem | LinkProblem, value: string): Failure['figures'] {
  if (code === 'blank') return value === '' ? { came: 'empty_text' } : { came: 'blank_text', length };
  return code === 'forbidden_character' ? { came: forbiddenIn(value) } : { limit, length };
}

const text = (findProblem: (value: string) => TextProblem | null) => (value: string, context: Context) => {
  const problem = findProblem(value);
  if (problem) refuse(context, `field_${problem.code}`, figuresOf(problem, value));
};

// zod keeps no input beside an issue, so its kind is said in the message; `failureOf` takes the two apart.
const mustBeText = {
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? 'field_missing' : `field_not_text ${kindOf(input)}`,
};

const decimal = /^(?:0|-?[1-9][0-9]*)$/;

function asUserId(value: unknown, context: Context): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  if (typeof value === 'string' && decimal.test(value)) return Number(value);
  const { code, figures } = refuseUserId(value);
  return refuse(context, code, figures);
}

/** The failure of a `user_id` that is no integer; `source` is how a number was written, where its value alone does not show it. */
export function refuseUserId(value: unknown, source?: string): Failure {
  const field = 'user_id';
  if (value === null || value === '') return { code: 'user_id_empty', field, figures: { came: kindOf(value) } };
  // An object is never made a text: what it calls its `toString` may be anything.
  const shown = typeof value === 'string' || typeof value === 'number' ? quoted(source ?? String(value)) : undefined;
  return { code: 'user_id_not_integer', field, figures: { came: kindOf(value), value: shown } };
}

function asUrl(value: unknown, context: Context): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') return refuse(context, 'field_not_text', { came: kindOf(value) });
  const problem = findLinkProblem(value);
  if (!problem) return value;
  if (problem.code === 'not_internal') return refuse(context, 'url_not_internal', { came: linkProblemOf(value) });
  return refuse(context, `field_${problem.code}`, figuresOf(problem, value));
}

/**
 * A notification as a caller sends it. Nothing but a missing `user_id` or 0 may ever mean everyone; texts are
 * kept byte for byte; an unknown `jenis` is `info`; unknown fields are dropped (contract §6).
 */
export const SendInput = z
  .object({
    judul: z
      .string(mustBeText)
      .superRefine(text(findTitleProblem))
      .meta({
        description: 'Title: 1 to 120 characters (Unicode code points) of which at least one is visible.',
        examples: ['Gaji November sudah masuk'],
        override: { type: 'string', minLength: 1, maxLength: titleLimit },
      }),
    isi: z
      .string(mustBeText)
      .superRefine(text(findBodyProblem))
      .meta({
        description: 'Body: 1 to 255 characters (Unicode code points) of which at least one is visible.',
        examples: ['Slip gaji dapat dilihat di portal.'],
        override: { type: 'string', minLength: 1, maxLength: bodyLimit },
      }),
    user_id: z
      .unknown()
      .transform(asUserId)
      .optional()
      .meta({
        description:
          'Target employee, from `aksi=karyawan`. Left out or 0: every active employee. An integer, or its plain decimal form as a text (forms have only texts). `null` and an empty text are refused.',
        examples: [0],
        override: { oneOf: [{ type: 'integer' }, { type: 'string', pattern: '^(0|-?[1-9][0-9]*)$' }] },
      }),
    jenis: z
      .unknown()
      .transform(asKind)
      .optional()
      .meta({
        description: `Kind: ${kinds.map((kind) => `\`${kind}\``).join(', ')}. Selects the icon only. Anything else is treated as \`info\`.`,
        examples: ['gaji'],
        override: { anyOf: [{ type: 'string', enum: [...kinds] }, { type: 'string' }] },
      }),
    url: z
      .unknown()
      .transform(asUrl)
      .optional()
      .meta({
        description:
          'Internal path that begins with a single `/`, up to 2,048 characters. Addresses of other sites, `//`, backslashes and control characters are refused.',
        examples: ['/portal/notifications'],
        override: { type: ['string', 'null'], maxLength: urlLimit, pattern: '^/' },
      }),
  })
  .meta({ id: 'Notification', description: 'A notification to send.' });
/** A checked notification with the names of the wire. */
export type SendInput = z.output<typeof SendInput>;

/** The two readings a key may make. */
export const ReadInput = z.object({
  aksi: z.enum(['ping', 'karyawan']).meta({
    description: '`ping` checks the key; `karyawan` lists the employees.',
    examples: ['ping'],
  }),
});
/** A checked reading. */
export type ReadInput = z.output<typeof ReadInput>;

const ok = z.literal(true);

/** The answer to `aksi=ping`. */
export const PingAnswer = z
  .object({
    ok,
    key: z.string().meta({ description: 'Name of the key used.', examples: ['n8n gaji'] }),
    perusahaan: z.string().meta({ description: 'Name of the company that owns the key.', examples: ['PT Contoh'] }),
  })
  .meta({ id: 'PingAnswer', description: 'Answer to `aksi=ping`.' });
/** Such an answer. */
export type PingAnswer = z.output<typeof PingAnswer>;

/** The answer to `aksi=karyawan`: every employee of the company, active or not, by `user_id`. */
export const EmployeesAnswer = z
  .object({
    ok,
    karyawan: z.array(
      z
        .object({
          user_id: z
            .int()
            .positive()
            .max(2_147_483_647)
            .meta({ description: 'Employee id, the target of a notification.', examples: [7] }),
          nama: z.string().meta({ description: 'Name.', examples: ['Karyawan Satu'] }),
          peran: z.string().meta({ description: 'Role.', examples: ['Kasir'] }),
        })
        .meta({ id: 'Employee' }),
    ),
  })
  .meta({ id: 'EmployeesAnswer', description: 'Answer to `aksi=karyawan`.' });
/** Such an answer. */
export type EmployeesAnswer = z.output<typeof EmployeesAnswer>;

/** The answer to a send: how many employees received the notification. */
export const SendAnswer = z
  .object({
    ok,
    terkirim: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .meta({
        description:
          'Number of employees that received the notification; 0 when the target is inactive or nobody is active.',
        examples: [1],
      }),
  })
  .meta({ id: 'SendAnswer', description: 'Answer to a send.' });
/** Such an answer. */
export type SendAnswer = z.output<typeof SendAnswer>;

/** The body of every answer that is not 200. */
export const FailureAnswer = z
  .object({
    ok: z.literal(false),
    error: z
      .string()
      .meta({ description: 'A sentence a person can act on, in English or Indonesian (`Accept-Language`).' }),
    code: z.string().meta({ description: 'Stable code of the failure; it never changes.' }),
    field: z.string().optional().meta({ description: 'The field at fault, where it is one field.' }),
  })
  .meta({ id: 'Failure', description: 'Every answer that is not 200.' });

/** The names of the fields a form may carry; everything else in it is ignored. */
export const sendFields = Object.keys(SendInput.shape);

/** The first thing wrong with an input that a schema of this file refused; `names` are those of all the fields that came. */
export function failureOf(error: z.ZodError, names: string[] = []): Failure {
  const issue = error.issues[0];
  const field = issue?.path[0] === undefined ? undefined : String(issue.path[0]);
  const [code = 'json_not_object', came] = issue?.message.split(' ') ?? [];
  const figures =
    issue?.code === 'custom' ? (issue.params?.figures as Failure['figures']) : { came, names: listNames(names) };
  return { code: code as FailureCode, field, figures };
}
