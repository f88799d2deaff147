import { z } from 'zod';
import { findTextProblem } from '#server/notifications/text-rules.ts';

/** Why a form's field was refused, as a key of the messages below `form`. */
export type FieldProblem = 'required' | 'tooLong' | 'tooShort' | 'invalid';

/** The problem of each refused field (`form` for the whole), and with the problem `wait` for how long. */
export type Refusal = { problems: Record<string, string>; waitSeconds?: number };

/** What a form action returns. */
export type Result<Value> = { value: Value } | Refusal;

const problemNames: Record<string, FieldProblem> = {
  blank: 'required',
  too_long: 'tooLong',
  forbidden_character: 'invalid',
};

/** A visible text of 1 to `limit` characters, trimmed. */
export const label = (limit: number) =>
  z
    .string('required')
    .trim()
    .superRefine((value, context) => {
      const problem = findTextProblem(value, limit);
      if (problem) context.addIssue({ code: 'custom', message: problemNames[problem.code] });
    });

/** The id of an employee, a key and the like, as the database numbers them. */
export const Id = z.int().positive().max(2_147_483_647);

/** What a person signs in with: an e-mail address or a name, 3 to 254 characters without spaces. */
export const Username = z
  .string('required')
  .trim()
  .min(1, 'required')
  .max(254, 'tooLong')
  .regex(/^[^\s\p{C}]{3,}$/u, 'invalid');

/** A new password: at least 10 characters, any of them. */
export const NewPassword = z.string('required').min(1, 'required').min(10, 'tooShort').max(200, 'tooLong');

/** An IANA time zone by its name; offsets such as +07:00 mean another thing to PostgreSQL. */
export const TimeZone = z.string().refine(isTimeZone, 'invalid');

function isTimeZone(name: string): boolean {
  return name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name);
}

const known: ReadonlySet<string> = new Set<FieldProblem>(['required', 'tooLong', 'tooShort', 'invalid']);

/** The first problem of each field. */
export function problemsOf(error: z.ZodError): { problems: Record<string, string> } {
  const problems: Record<string, string> = {};
  for (const { path, message } of error.issues)
    problems[String(path[0] ?? 'form')] ??= known.has(message) ? message : 'invalid';
  return { problems };
}

/** The answer of an action that did what was asked. */
export const done = <Value>(value: Value): { value: Value } => ({ value });

/** The answer of an action that refused: each field with its problem. */
export const refused = (problems: Record<string, string>): Refusal => ({ problems });

/** The answer of an action that checked nothing, after too many failed attempts. */
export const slowedDown = ({ waitSeconds }: { waitSeconds: number }): Refusal => ({
  problems: { form: 'wait' },
  waitSeconds,
});
