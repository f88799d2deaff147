import { z } from 'zod';
import type { WeakPassword } from '#server/accounts/sign-in/passwords.ts';
import { findTextProblem } from '#server/notifications/field-rules.ts';

/** Why a field was refused: a key below `form` in the messages. */
export type FieldProblem = 'required' | 'tooLong' | 'tooShort' | 'invalid' | WeakPassword;

/** The problem of each refused field, or of the `form`; with `wait`, the seconds to wait. */
export type FormRefusal = { problems: Record<string, string>; waitSeconds?: number };

/** The result of a form action. */
export type Result<Value> = { value: Value } | FormRefusal;

const problemNames: Record<string, FieldProblem> = {
  blank: 'required',
  too_long: 'tooLong',
  forbidden_character: 'invalid',
};

const lineBreak = /[\n\v\f\r\u0085\u2028\u2029]/;

/** A visible text of one line with 1 to `limit` characters, trimmed. */
export const label = (limit: number) => text(limit).refine((value) => !lineBreak.test(value), 'invalid');

const text = (limit: number) =>
  z
    .string('required')
    .trim()
    .superRefine((value, context) => {
      const problem = findTextProblem(value, limit);
      if (problem) context.addIssue({ code: 'custom', message: problemNames[problem.code] });
    });

const orNull = <Schema extends z.ZodType<string, string>>(schema: Schema) =>
  z
    .string()
    .trim()
    .transform((value) => value || null)
    .pipe(schema.nullable());

/** Like `label`, but an empty text is null. */
export const optionalLabel = (limit: number) => orNull(label(limit));

/** Like `optionalLabel`, of any number of lines. */
export const optionalText = (limit: number) => orNull(text(limit));

/** The id of a row, such as an employee or a key. */
export const Id = z.int().positive().max(2_147_483_647);

/** A username: an e-mail address or a name, 3 to 254 characters without spaces. */
export const Username = z
  .string('required')
  .trim()
  .min(1, 'required')
  .max(254, 'tooLong')
  .regex(/^[^\s\p{C}]{3,}$/u, 'invalid');

/** A new password: at least 10 characters of any kind. */
export const NewPassword = z.string('required').min(1, 'required').min(10, 'tooShort').max(200, 'tooLong');

/** An IANA time zone. No offsets: PostgreSQL reads +07:00 with the opposite sign. */
export const TimeZone = z
  .string()
  .refine((name) => name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name), 'invalid');

const fieldProblems: ReadonlySet<string> = new Set<FieldProblem>(['required', 'tooLong', 'tooShort', 'invalid']);

export function problemsOf(error: z.ZodError): { problems: Record<string, string> } {
  const problems: Record<string, string> = {};
  for (const { path, message } of error.issues)
    problems[String(path[0] ?? 'form')] ??= fieldProblems.has(message) ? message : 'invalid';
  return { problems };
}

/** The result of an action that succeeded. Without a value it has null: `undefined` would not arrive. */
export const done = <Value>(value: Value): { value: Value } => ({ value: value ?? (null as Value) });

export const refused = (problems: Record<string, string>): FormRefusal => ({ problems });

/** The result of an action that succeeds or has one problem. */
export const doneIf = (isDone: boolean, problem: string): Result<null> =>
  isDone ? done(null) : refused({ form: problem });

/** The result of an action with this `outcome`, which is a problem unless it is the `success`. */
export const doneOn = <Outcome extends string>(success: Outcome, outcome: Outcome): Result<null> =>
  doneIf(outcome === success, outcome);

/** Makes the result of an action that was not tried, because it was tried too often. */
export const slowedDown = ({ waitSeconds }: { waitSeconds: number }): FormRefusal => ({
  problems: { form: 'wait' },
  waitSeconds,
});

const Base64Url = z.string().regex(/^[\w-]{16,200}={0,2}$/, 'invalid');

export const PushSubscriptionFields = z.object({ endpoint: z.url().max(2000), p256dh: Base64Url, auth: Base64Url });
