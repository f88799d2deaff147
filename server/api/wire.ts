import { z } from 'zod';
import type { Failure, FailureCode, FailureFigures } from '#server/api/failures.ts';
import { webhookOfFields } from '#server/api/fixed-webhooks.ts';
import { kindOf, linkProblemOf, listNames, quoted } from '#server/api/received-kind.ts';
import { checkUserId, findMisspeltUserId } from '#server/api/user-id.ts';
import {
  draftLimits,
  findBodyProblem,
  findLinkProblem,
  findTitleProblem,
  type LinkProblem,
} from '#server/notifications/field-rules.ts';
import { asKind, kinds } from '#server/notifications/kinds.ts';
import type { TextProblem } from '#server/notifications/text-rules.ts';

// The Indonesian names of the wire stay in server/api/. The domain has English names.

const { title: titleLimit, body: bodyLimit, url: urlLimit } = draftLimits;

function refuse(context: z.RefinementCtx, code: FailureCode, figures?: FailureFigures): never {
  context.addIssue({ code: 'custom', message: code, params: { figures } });
  return z.NEVER;
}

function figuresOf({ code, limit, length }: TextProblem | LinkProblem, value: string): FailureFigures {
  if (code === 'blank') return value === '' ? { came: 'empty_text' } : { came: 'blank_text', length };
  if (code === 'forbidden_character') return { came: value.includes('\0') ? 'nul' : 'half_character' };
  return { limit, length };
}

const text = (findProblem: (value: string) => TextProblem | null) => (value: string, context: z.RefinementCtx) => {
  const problem = findProblem(value);
  if (problem) refuse(context, `field_${problem.code}`, figuresOf(problem, value));
};

// An issue of zod does not keep the input, so its kind is part of the message.
const mustBeText = {
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? 'field_missing' : `field_not_text ${kindOf(input)}`,
};

function asUserId(value: unknown, context: z.RefinementCtx): number {
  const id = checkUserId(value);
  return typeof id === 'number' ? id : refuse(context, id.code, id.figures);
}

function asUrl(value: unknown, context: z.RefinementCtx): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') return refuse(context, 'field_not_text', { came: kindOf(value) });
  const problem = findLinkProblem(value);
  if (!problem) return value;
  if (problem.code === 'not_internal') return refuse(context, 'url_not_internal', { came: linkProblemOf(value) });
  return refuse(context, `field_${problem.code}`, figuresOf(problem, value));
}

/**
 * The schema of a send (contract §6). Texts are kept byte for byte, an unknown `jenis` is `info`,
 * and unknown fields are dropped. Only a missing `user_id` or 0 means every active employee; see
 * `checkSend` for a misspelt one.
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
          'Target employee, from `aksi=karyawan`. Left out or 0: every active employee. Its plain decimal form as a text (`"7"`) is read as the number. `null` and an empty text are refused. Where it is left out, a field whose name differs only in case, `_` or `-` (`userId`) is refused as well.',
        // The text form is in words only: of two types, generators make a class instead of a number.
        override: { type: 'integer' },
      }),
    jenis: z
      .unknown()
      .transform(asKind)
      .optional()
      .meta({
        description: `Kind: ${kinds.map((kind) => `\`${kind}\``).join(', ')}. Selects the icon only. Anything else is treated as \`info\`.`,
        // Not an enum: any text is accepted, and further kinds may be added.
        override: { type: 'string', examples: [...kinds] },
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
/** A checked notification, with the names of the wire. */
export type SendInput = z.output<typeof SendInput>;

/** The schema of the two things a key may read. */
export const ReadInput = z.object({
  aksi: z.enum(['ping', 'karyawan']).meta({
    description: '`ping` checks the key; `karyawan` lists the employees.',
    examples: ['ping'],
  }),
});
/** A checked read. */
export type ReadInput = z.output<typeof ReadInput>;

// The document describes `ok` in words: generators fail on a boolean with `const`, or make an enum
// of it. Answers are open, explicitly: without the word, generated Go and Java refuse a new field.
const documentedOk = (value: boolean) => z.boolean().meta({ description: `Always \`${value}\`.`, examples: [value] });
const open = { additionalProperties: true };

const Employee = z
  .object({
    user_id: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .meta({ description: 'Employee id, the target of a notification.', examples: [7] }),
    nama: z.string().meta({ description: 'Name.', examples: ['Karyawan Satu'] }),
    peran: z.string().meta({ description: 'Role.', examples: ['Kasir'] }),
  })
  .meta({ id: 'Employee', override: open });

/**
 * The schema of both answers to a read. One object with optional fields, because generated Kotlin
 * and Go fail on a union without a discriminator. The service answers `PingAnswer` or
 * `EmployeesAnswer`.
 */
export const ReadAnswer = z
  .object({
    ok: documentedOk(true),
    key: z
      .string()
      .optional()
      .meta({ description: 'Answer to `aksi=ping`: name of the key used.', examples: ['n8n gaji'] }),
    perusahaan: z
      .string()
      .optional()
      .meta({ description: 'Answer to `aksi=ping`: name of the company that owns the key.', examples: ['PT Contoh'] }),
    karyawan: z
      .array(Employee)
      .optional()
      .meta({ description: 'Answer to `aksi=karyawan`: every employee of the company.' }),
  })
  .meta({
    id: 'ReadAnswer',
    description: 'Answer to `aksi=ping` (`key` and `perusahaan`) or to `aksi=karyawan` (`karyawan`).',
    override: open,
  });

/** The answer to `aksi=ping`. */
export type PingAnswer = { ok: true; key: string; perusahaan: string };

/** The answer to `aksi=karyawan`: every employee of the company, active or not, by `user_id`. */
export type EmployeesAnswer = { ok: true; karyawan: z.output<typeof Employee>[] };

/** The schema of the answer to a send. */
export const SendAnswer = z
  .object({
    ok: documentedOk(true),
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
  .meta({ id: 'SendAnswer', description: 'Answer to a send.', override: open });
/** The answer to a send: how many employees received the notification. */
export type SendAnswer = { ok: true; terkirim: number };

/** The schema of the body of every response that is not 200. `code` is open: new codes may come. */
export const FailureAnswer = z
  .object({
    ok: documentedOk(false),
    error: z
      .string()
      .meta({ description: 'A sentence a person can act on, in English or Indonesian (`Accept-Language`).' }),
    code: z
      .string()
      .meta({ description: 'Stable code of the failure; it never changes.', examples: ['field_missing'] }),
    field: z
      .string()
      .optional()
      .meta({ description: 'The field at fault, where it is one field.', examples: ['judul'] }),
  })
  .meta({ id: 'Failure', description: 'Every answer that is not 200.', override: open });

/**
 * The names of the fields of a send. A body may carry others, which are ignored, except a misspelt
 * `user_id`.
 */
export const sendFields = Object.keys(SendInput.shape);

/** The fields of a body by name, not checked yet, and the names of all fields that came. */
export type ReceivedFields = { fields: Record<string, unknown>; names: string[] };

/** Checks `aksi`: returns the read that it names, or the failure `aksi_unknown`. */
export function checkRead(aksi: string): ReadInput | Failure {
  const checked = ReadInput.safeParse({ aksi });
  return checked.success ? checked.data : { code: 'aksi_unknown', field: 'aksi', figures: { came: quoted(aksi) } };
}

/**
 * Checks the fields of a send. Returns the notification or the first failure, in schema order. A
 * misspelt `user_id` fails in the place of the one that did not come.
 */
export function checkSend({ fields, names }: ReceivedFields): SendInput | Failure {
  const misspelt = 'user_id' in fields ? null : findMisspeltUserId(names);
  const checked = SendInput.safeParse(misspelt ? { ...fields, user_id: misspelt } : fields);
  return checked.success ? checked.data : failureOf(checked.error, names);
}

function failureOf(error: z.ZodError, names: string[]): Failure {
  const issue = error.issues[0];
  const field = issue?.path[0] === undefined ? undefined : String(issue.path[0]);
  const [code = 'json_not_object', came] = issue?.message.split(' ') ?? [];
  const figures =
    issue?.code === 'custom'
      ? (issue.params?.figures as FailureFigures)
      : { came, names: listNames(names), webhook: webhookOfFields(names) };
  return { code: code as FailureCode, field, figures };
}
