'use server';

import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { asEmployeeFilter, employeeQuery } from '#app/owner/employees/employee-query.ts';
import { done, doneIf, Id, label, optionalLabel, refused } from '#app/ui/forms/fields.ts';
import {
  limitByCount,
  managerAction,
  reauthenticatedManagerAction,
  reauthenticatedOwnerAction,
} from '#app/ui/forms/guarded-action.ts';
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
import { applyImport, employeeLimits } from '#server/employees/imports.ts';
import {
  createInvitation,
  createInvitations,
  maxSheetInvitations,
  remindToOpen,
  showInvitation,
} from '#server/employees/invitations.ts';
import {
  approveJoinRequests,
  createJoinLink,
  declineJoinRequests,
  maxBulkRequests,
  revokeJoinLink,
  showJoinLink,
} from '#server/employees/join-requests.ts';
import { joinLinkDays, joinLinkSizes } from '#server/employees/join-terms.ts';

const Role = label(employeeLimits.role);
const EmployeeInput = z.object({ name: label(employeeLimits.name), role: Role });
const linkOf = (token: string | null) => `${env().APP_URL}${token === null ? '/portal' : `/invite/${token}`}`;
const NumberedInput = EmployeeInput.extend({ staffNumber: optionalLabel(employeeLimits.staffNumber) });

export const addNumberedEmployeeAction = managerAction(NumberedInput, async (manager, details) => {
  const id = await addEmployee(manager, details);
  if (id === 'staff-number-taken') return refused({ staffNumber: id });
  return done({ id, name: details.name });
});

/** Adds the first person by name alone, with the usual role, and invites them. */
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

export const setEmployeesActiveAction = managerAction.within(limitByCount)(
  z.object({ ids: z.array(Id).min(1).max(maxBulkEmployees), active: z.boolean() }),
  async (manager, { ids, active }) => done({ count: await setEmployeesActive(manager, ids, active) }),
);

export const setEmployeeRolesAction = managerAction.within('bulk')(
  z.object({ ids: z.array(Id).min(1).max(maxBulkEmployees), role: Role }),
  async (manager, { ids, role }) => done({ count: await setEmployeeRoles(manager, ids, role) }),
);

/** Lists the first people who match the filters of an address, to choose them all. */
export const listMatchingAction = managerAction.within(null)(
  z.object(employeeQuery).omit({ before: true }).partial(),
  async (manager, query) => done(await listEmployees(manager, asEmployeeFilter(query), { limit: maxBulkEmployees })),
);

export const signOutEmployeeAction = managerAction(z.object({ id: Id }), async (manager, { id }) =>
  doneIf((await signOutEmployee(manager, id)) === 'signed-out', 'gone'),
);

export const giveRightsAction = reauthenticatedOwnerAction(
  z.object({ id: Id, rights: z.enum(['makeOwner', 'makeManager']) }),
  async (owner, { id, rights }) =>
    doneIf((await giveRights(owner, id, rights === 'makeOwner' ? 'owner' : 'manager')) === 'made', 'gone'),
);

/** Shows the valid invitation link of an employee, or a new one; with `anew`, one that ends the others. */
export const showInvitationAction = reauthenticatedManagerAction.within('invitation')(
  z.object({ id: Id, anew: z.boolean() }),
  async (manager, { id, anew }) => {
    const invitation = await (anew ? createInvitation(manager, id) : showInvitation(manager, id));
    if (typeof invitation === 'string') return refused({ form: 'inviteFailed' });
    return done({ link: linkOf(invitation.token), shown: invitation.shown });
  },
);

const InvitedIds = z.array(Id).min(1).max(maxSheetInvitations);

/** Creates invitation links. Does not refresh the page: a new version would reload it, and lose the links. */
export const createInvitationsAction = reauthenticatedManagerAction.within('bulk')(InvitedIds, async (manager, ids) => {
  const invitations = await createInvitations(manager, ids);
  return done(invitations.map(({ token, ...employee }) => ({ ...employee, link: linkOf(token) })));
});

export const remindToOpenAction = reauthenticatedManagerAction.within('bulk')(InvitedIds, async (manager, ids) => {
  const reminders = await remindToOpen(manager, ids);
  return done(reminders.map(({ token, ...employee }) => ({ ...employee, link: linkOf(token) })));
});

const joinLinkOf = (token: string) => `${env().APP_URL}/join/${token}`;

export const createJoinLinkAction = managerAction.within('joinLink')(
  z.object({ role: Role.nullable(), days: z.literal(joinLinkDays), maxRequests: z.literal(joinLinkSizes) }),
  async (manager, terms) => {
    const made = await createJoinLink(manager, terms);
    if (made === 'too-many') return refused({ form: 'tooManyLinks' });
    return done({ link: joinLinkOf(made.token) });
  },
);

export const showJoinLinkAction = managerAction.within('joinLink')(z.object({ id: Id }), async (manager, { id }) => {
  const shown = await showJoinLink(manager, id);
  return typeof shown === 'string' ? refused({ form: shown }) : done({ link: joinLinkOf(shown.token) });
});

export const revokeJoinLinkAction = managerAction(z.object({ id: Id }), async (manager, { id }) =>
  doneIf((await revokeJoinLink(manager, id)) === 'revoked', 'gone'),
);

const Approvals = z
  .array(EmployeeInput.extend({ id: Id }))
  .min(1)
  .max(maxBulkRequests);

const limitOfApproval = ({ approvals }: { approvals: unknown[] }) => (approvals.length > 1 ? 'bulk' : 'change');

/** Approves requests to join, each with the name and role that the person gets. Returns how many. */
export const approveJoinRequestsAction = reauthenticatedManagerAction.within(limitOfApproval)(
  z.object({ approvals: Approvals }),
  async (manager, { approvals }) => {
    const count = await approveJoinRequests(manager, approvals);
    return count === 0 ? refused({ form: 'gone' }) : done({ count });
  },
);

export const declineJoinRequestsAction = managerAction.within(limitByCount)(
  z.object({ ids: z.array(Id).min(1).max(maxBulkRequests) }),
  async (manager, { ids }) => done({ count: await declineJoinRequests(manager, ids) }),
);

/** Saves all rows without a problem, or nothing (`stale`) if employees changed since `shown`. */
export const saveImportAction = managerAction.within('bulk')(
  z.object({ id: z.uuid(), shown: z.string().max(100), namesakes: z.literal('on').optional() }),
  async (manager, { id, shown, namesakes }) => {
    const applied = await applyImport(manager, id, { effectsHash: shown, namesakes: namesakes !== undefined });
    return typeof applied === 'string' ? refused({ form: applied }) : done(null);
  },
);
