import { sql } from '#db/client.ts';
import type { Fragment } from '#db/notify.ts';
import type { Manager } from '#server/principals.ts';

/**
 * The condition that the account `a` of an employee, null without an account, is an owner's or a
 * manager's. Such an account gets its passwords from an owner, never by an employee's invitation.
 */
export const isOfManagement = (): Fragment => sql()`coalesce(a.is_owner or a.is_manager, false)`;

/**
 * The condition that a manager may not change the employee with the account `a`: the employee is an
 * owner or another manager. An owner may change everybody.
 */
export const isProtectedFrom = ({ kind, accountId }: Manager): Fragment =>
  kind === 'owner' ? sql()`false` : sql()`(${isOfManagement()} and a.id <> ${accountId})`;
