'use server';

import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { asEmployeeFilter, employeeQuery } from '#app/owner/employees/employee-query.ts';
import { done, Id, label, optionalLabel, refused } from '#app/ui/forms/fields.ts';
import {
  limitByCount,
  managerAction,
  reauthenticatedManagerAction,
  reauthenticatedOwnerAction,
} from '#app/ui/forms/guarded-action.ts';
import { readQuery } from '#app/ui/lists/list-query.ts';
import { env } from '#platform/config/settings.ts';
import { giveRights } from '#server/accounts/owners/owners.ts';
import { listEmployees } from '#server/employees/employee-list.ts';
import {
  addEmployee,
  addMyself,
  editEmployee,
  maxBulkEmployees,
  setEmployeeRoles,
  setEmployeesActive,
  signOutEmployee,
} from '#server/employees/employees.ts';
import { employeeLimits } from '#server/employees/import-check.ts';
import {
  createInvitation,
  createInvitations,
  maxSheetInvitations,
  remindToOpen,
} from '#server/employees/invitations.ts';

const Role = label(employeeLimits.role);
const EmployeeInput = z.object({ name: label(employeeLimits.name), role: Role });
const StaffNumber = optionalLabel(employeeLimits.staffNumber);
const linkOf = (token: string | null) => `${env().APP_URL}${token === null ? '/portal' : `/invite/${token}`}`;
const NumberedInput = EmployeeInput.extend({ staffNumber: StaffNumber });

export const addNumberedEmployeeAction = managerAction(NumberedInput, async (manager, details) => {
  const id = await addEmployee(manager, details);
  if (id === 'staff-number-taken') return refused({ staffNumber: id });
  return done({ id, name: details.name });
});

/**
 * Adds the first person by name alone, with the usual role, and invites them. Returns the name and
 * the link, which is stored nowhere.
 */
export const addFirstPersonAction = reauthenticatedOwnerAction.within('invitation')(
  EmployeeInput.pick({ name: true }),
  async (owner, { name }) => {
    const t = await getTranslations('employees');
    const id = await addEmployee(owner, { name, role: t('firstRole') });
    const invitation = typeof id === 'string' ? id : await createInvitation(owner, id);
    if (typeof invitation === 'string') return refused({ form: 'inviteFailed' });
    return done({ name, link: linkOf(invitation.token) });
  },
);

export const addMyselfAction = managerAction(z.null(), async (manager) => {
  const t = await getTranslations('employees');
  await addMyself(manager, t(manager.kind === 'owner' ? 'addMeRole' : 'addMeManagerRole'));
  return done(null);
});

export const editNumberedEmployeeAction = managerAction(
  NumberedInput.extend({ id: Id }),
  async (manager, { id, ...details }) => {
    const edited = await editEmployee(manager, id, details);
    if (edited === 'staff-number-taken') return refused({ staffNumber: edited });
    return edited === 'edited' ? done(null) : refused({ form: 'gone' });
  },
);

/** Activates or deactivates employees. Returns how many changed. */
export const setEmployeesActiveAction = managerAction.within(limitByCount)(
  z.object({ ids: z.array(Id).min(1).max(maxBulkEmployees), active: z.boolean() }),
  async (manager, { ids, active }) => done({ count: await setEmployeesActive(manager, ids, active) }),
);

/** Gives several employees a role. Returns how many changed. */
export const setEmployeeRolesAction = managerAction.within('bulk')(
  z.object({ ids: z.array(Id).min(1).max(maxBulkEmployees), role: Role }),
  async (manager, { ids, role }) => done({ count: await setEmployeeRoles(manager, ids, role) }),
);

/** Lists the first people who match the filters of an address, to choose them all. */
export const listMatchingAction = managerAction.within(null)(
  z.record(z.string(), z.string().max(1000)),
  async (manager, query) => {
    const filter = asEmployeeFilter(readQuery(employeeQuery, query));
    return done(await listEmployees(manager, filter, { limit: maxBulkEmployees }));
  },
);

export const signOutEmployeeAction = managerAction(z.object({ id: Id }), async (manager, { id }) => {
  const ended = await signOutEmployee(manager, id);
  return ended === 'signed-out' ? done(null) : refused({ form: 'gone' });
});

/** Makes an employee an owner or a manager too. */
export const giveRightsAction = reauthenticatedOwnerAction(
  z.object({ id: Id, rights: z.enum(['makeOwner', 'makeManager']) }),
  async (owner, { id, rights }) => {
    const made = await giveRights(owner, id, rights === 'makeOwner' ? 'owner' : 'manager');
    return made === 'made' ? done(null) : refused({ form: 'gone' });
  },
);

/** Creates an invitation link. The result holds the link, which is stored nowhere. */
export const createInvitationAction = reauthenticatedManagerAction.within('invitation')(
  z.object({ id: Id }),
  async (manager, { id }) => {
    const invitation = await createInvitation(manager, id);
    if (typeof invitation === 'string') return refused({ form: 'inviteFailed' });
    return done({ link: linkOf(invitation.token) });
  },
);

const InvitedIds = z.array(Id).min(1).max(maxSheetInvitations);

/**
 * Creates invitation links for employees. The result holds them; they are stored nowhere. So the page
 * that shows them is not refreshed: a machine with another version would make it reload.
 */
export const createInvitationsAction = reauthenticatedManagerAction.within('bulk')(InvitedIds, async (manager, ids) => {
  const invitations = await createInvitations(manager, ids);
  return done(invitations.map(({ token, ...employee }) => ({ ...employee, link: linkOf(token) })));
});

/**
 * Prepares reminders for people who never opened the portal. The result holds their links, which are
 * stored nowhere. A person with an account signs in at the portal instead.
 */
export const remindToOpenAction = reauthenticatedManagerAction.within('bulk')(InvitedIds, async (manager, ids) => {
  const reminders = await remindToOpen(manager, ids);
  return done(reminders.map(({ token, ...employee }) => ({ ...employee, link: linkOf(token) })));
});
