import type { z } from 'zod';
import { problemsOf, type Result, refused } from '#app/ui/forms/fields.ts';
import { currentSession, isOwnRequest } from '#server/accounts/sign-in/require.ts';
import { type Employee, type Manager, type Owner, RightsEnded, type Session } from '#server/principals.ts';

/** Returns the principal of a session, or why it may not act. */
type Guard<Who> = (session: Session) => Who | 'reauthenticate' | null;

// Makes form actions: the guard finds the principal, the schema checks the input, then `act` runs.
// An action never redirects: after the session ended the person keeps their input and is told.
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
    // While machines are updated, pages of the version before know this word.
    if (who === 'reauthenticate') return refused({ form: 'prove-again' });
    const parsed = schema.safeParse(input);
    return parsed.success ? unlessRightsEnded(() => act(who, parsed.data)) : problemsOf(parsed.error);
  };

/** The result of `act`. Rights that end between the check of the session and the change end both. */
export async function unlessRightsEnded<Value>(act: () => Promise<Result<Value>>): Promise<Result<Value>> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RightsEnded) return refused({ form: 'session-ended' });
    throw error;
  }
}

export const ownerAction = guarded<Owner>(({ owner }) => owner);

/** Makes an action for an owner that also needs the session. */
export const ownerSessionAction = guarded<Session & { owner: Owner }>((session) =>
  session.owner ? { ...session, owner: session.owner } : null,
);

export const managerAction = guarded<Manager>(({ manager }) => manager);

/**
 * Makes an owner's action that gives or takes access. It returns `prove-again` unless the password
 * was typed in this session within the last minutes; `useReauthenticatedAction` then asks for it.
 */
export const reauthenticatedOwnerAction = guarded<Owner>((session) =>
  session.owner && !session.reauthenticated ? 'reauthenticate' : session.owner,
);

/** Makes an action of an owner or manager that gives access, as `reauthenticatedOwnerAction`. */
export const reauthenticatedManagerAction = guarded<Manager>((session) =>
  session.manager && !session.reauthenticated ? 'reauthenticate' : session.manager,
);

export const employeeAction = guarded<Employee>(({ employee }) => employee);

/** Makes an action for an employee that also needs the session. */
export const employeeSessionAction = guarded<Session & { employee: Employee }>((session) =>
  session.employee ? { ...session, employee: session.employee } : null,
);

export const sessionAction = guarded<Session>((session) => session);
