import { headers } from 'next/headers';
import type { z } from 'zod';
import { type FormRefusal, problemsOf, type Result, refused, slowedDown } from '#app/ui/forms/fields.ts';
import { nameOfAction } from '#platform/config/next-internals.ts';
import { noteActivity } from '#server/accounts/sign-in/authenticate.ts';
import { recordDenial } from '#server/accounts/sign-in/denials.ts';
import { countUse, type PersonLimit, subjectsOf } from '#server/accounts/sign-in/limits.ts';
import { currentReader, currentSession, isOwnRequest } from '#server/accounts/sign-in/require.ts';
import { type Employee, type Manager, type Owner, RightsEnded, type Session } from '#server/principals.ts';

type Guard<Who> = (session: Session) => Who | 'reauthenticate' | null;

// The limit of an action, which may depend on its input; null where repeating it does no harm.
type Limit = PersonLimit | null | ((input: never) => PersonLimit);

// Makes form actions: the guard finds the principal, the schema checks the input, then `act` runs.
// An action never redirects: after the session ended the person keeps their input and is told.
const guardedWithin =
  <Who extends object>(
    guard: Guard<Who>,
    limit: Limit,
    { isActivity = true, find = currentSession }: { isActivity?: boolean; find?: () => Promise<Session | null> } = {},
  ) =>
  <Schema extends z.ZodType, Value>(
    schema: Schema,
    act: (who: Who, input: z.output<Schema>) => Promise<Result<Value>>,
  ) =>
  async (input: z.input<Schema>): Promise<Result<Value>> => {
    const isOwn = await isOwnRequest();
    const session = isOwn ? await find() : null;
    const who = session && guard(session);
    const action = nameOfAction((await headers()).get('next-action') ?? '');
    if (!session || !who) {
      recordDenial(session?.account ?? null, action, session ? 'no-rights' : isOwn ? 'no-session' : 'foreign-page');
      return refused({ form: 'session-ended' });
    }
    if (isActivity) await noteActivity([session]);
    // Not 'reauthenticate': during an update, open pages of the previous version know only 'prove-again'.
    if (who === 'reauthenticate') return refused({ form: 'prove-again' });
    const parsed = schema.safeParse(input);
    if (!parsed.success) return problemsOf(parsed.error);
    const name = typeof limit === 'function' ? limit(parsed.data as never) : limit;
    return (
      (name && (await refuseBeyond(session, name))) ?? unlessRightsEnded(session, action, () => act(who, parsed.data))
    );
  };

// Makes form actions with the limit `usual`; `within` makes those that have another one.
const guarded = <Who extends object>(guard: Guard<Who>, usual: Limit = 'change') =>
  Object.assign(guardedWithin(guard, usual), { within: (limit: Limit) => guardedWithin(guard, limit) });

/** The limit of an action on one row or several. */
export const limitByCount = ({ ids }: { ids: number[] }) => (ids.length > 1 ? 'bulk' : 'change');

/** Counts what a person does. Beyond its limit, returns the refusal, which says how long to wait. */
export async function refuseBeyond({ account }: Session, limit: PersonLimit): Promise<FormRefusal | null> {
  const waitSeconds = await countUse(limit, subjectsOf(account));
  return waitSeconds > 0 ? slowedDown({ waitSeconds }) : null;
}

/** Runs `act`. Answers `session-ended` if the person's rights end after the session was checked. */
export async function unlessRightsEnded<Value>(
  { account }: Session,
  target: string,
  act: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof RightsEnded)) throw error;
    recordDenial(account, target, 'rights-ended');
    return refused({ form: 'session-ended' });
  }
}

/** Makes an action for people who need not be signed in. It takes the fields of a form as texts. */
export const publicAction =
  <Schema extends z.ZodType, Value>(schema: Schema, act: (input: z.output<Schema>) => Promise<Result<Value>>) =>
  async (fields: Record<string, string>): Promise<Result<Value>> => {
    if (!(await isOwnRequest())) return refused({ form: 'failed' });
    const parsed = schema.safeParse(fields);
    return parsed.success ? act(parsed.data) : problemsOf(parsed.error);
  };

export const ownerAction = guarded<Owner>(({ owner }) => owner);

/** Makes an action for an owner that also needs the session. */
export const ownerSessionAction = guarded<Session & { owner: Owner }>((session) =>
  session.owner ? { ...session, owner: session.owner } : null,
);

export const managerAction = guarded<Manager>(({ manager }) => manager);

// For actions that give or take access. Without a recent password, `prove-again` makes `Reauthentication` ask.
const reauthenticated = <Who extends object>(find: (session: Session) => Who | null) =>
  guarded<Who>((session) => (session.reauthenticated ? find(session) : find(session) && 'reauthenticate'));

export const reauthenticatedOwnerAction = reauthenticated(({ owner }) => owner);

export const reauthenticatedManagerAction = reauthenticated(({ manager }) => manager);

// Without a limit, unless it adds rows: an employee only changes those of their own inbox.
export const employeeAction = guarded<Employee>(({ employee }) => employee, null);

/** Makes an action about what an employee has read, which a bell in another site's page may call too. */
export const readerAction = guardedWithin<Employee>(({ employee }) => employee, null, { find: currentReader });

/** As `readerAction`, for what pages call by themselves: it keeps no session of an owner open. */
export const readerBackgroundAction = guardedWithin<Employee>(({ employee }) => employee, null, {
  find: currentReader,
  isActivity: false,
});

/** Makes an action for an employee that also needs the session. */
export const employeeSessionAction = guarded<Session & { employee: Employee }>(
  (session) => (session.employee ? { ...session, employee: session.employee } : null),
  null,
);

const withSecondFactor = (session: Session) => (session.needsSecondFactor ? null : session);

export const sessionAction = guarded<Session>(withSecondFactor);

/** Makes an action that is also for a session which still needs a second factor. */
export const anySessionAction = guarded<Session>((session) => session);

export const reauthenticatedSessionAction = reauthenticated(withSecondFactor);

/** As `reauthenticatedSessionAction`, also for a session which still needs a second factor. */
export const reauthenticatedAnySessionAction = reauthenticated((session) => session);
