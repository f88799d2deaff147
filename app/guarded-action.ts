import type { z } from 'zod';
import { problemsOf, type Result } from '#app/fields.ts';
import { requireEmployee, requireOwner, requireSession } from '#server/require.ts';
import type { Employee, Owner, Session } from '#server/session.ts';

type Guard<Who> = () => Promise<Who>;

// One shape for every form action: who may call it, what it takes, what it does.
const guarded =
  <Who>(guard: Guard<Who>) =>
  <Schema extends z.ZodType, Value>(
    schema: Schema,
    act: (who: Who, input: z.output<Schema>) => Promise<Result<Value>>,
  ) =>
  async (input: z.input<Schema>): Promise<Result<Value>> => {
    const who = await guard();
    const parsed = schema.safeParse(input);
    return parsed.success ? act(who, parsed.data) : problemsOf(parsed.error);
  };

/** An action that only the signed-in owner may call; it gets the owner first, then its checked input. */
export const ownerAction = guarded<Owner>(() => requireOwner());

/** An action that only a signed-in, active employee may call. */
export const employeeAction = guarded<Employee>(() => requireEmployee());

/** As `employeeAction`, for what belongs to the session as well as to the person. */
export const employeeSessionAction = guarded<Session & { employee: Employee }>(async () => {
  const employee = await requireEmployee();
  return { ...(await requireSession()), employee };
});

/** An action that anybody who is signed in may call. */
export const sessionAction = guarded<Session>(() => requireSession());
