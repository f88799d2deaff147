import type { z } from 'zod';
import { problemsOf, type Result, refused } from '#app/ui/forms/fields.ts';
import { currentSession, isOwnRequest } from '#server/accounts/require.ts';
import type { Employee, Owner, Session } from '#server/principals.ts';

/** Who may call, or why they may not. */
type Guard<Who> = (session: Session) => Who | 'prove-again' | null;

// One shape for every form action: who may call it, what it takes, what it does. It never leads to
// another page: whoever is no longer signed in keeps what they typed, and is told.
const guarded =
  <Who extends object>(guard: Guard<Who>) =>
  <Schema extends z.ZodType, Value>(
    schema: Schema,
    act: (who: Who, input: z.output<Schema>) => Promise<Result<Value>>,
  ) =>
  async (input: z.input<Schema>): Promise<Result<Value>> => {
    const session = (await isOwnRequest()) ? await currentSession() : null;
    const who = session && guard(session);
    if (!who) return refused({ form: 'session-ended' });
    if (who === 'prove-again') return refused({ form: who });
    const parsed = schema.safeParse(input);
    return parsed.success ? act(who, parsed.data) : problemsOf(parsed.error);
  };

/**
 * An action that only the signed-in owner may call; it gets the owner first, then its checked
 * input.
 */
export const ownerAction = guarded<Owner>(({ owner }) => owner);

/**
 * As `ownerAction`, for what gives or takes access: only when the password was typed in this
 * session within the last minutes, else it answers `prove-again` and the page asks for it
 * (`useProvedAction`).
 */
export const provedOwnerAction = guarded<Owner>((session) =>
  session.owner && !session.proved ? 'prove-again' : session.owner,
);

/** An action that only a signed-in, active employee may call. */
export const employeeAction = guarded<Employee>(({ employee }) => employee);

/** As `employeeAction`, for what belongs to the session as well as to the person. */
export const employeeSessionAction = guarded<Session & { employee: Employee }>((session) =>
  session.employee ? { ...session, employee: session.employee } : null,
);

/** An action that anybody who is signed in may call. */
export const sessionAction = guarded<Session>((session) => session);
