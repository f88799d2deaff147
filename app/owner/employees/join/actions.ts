'use server';

import { z } from 'zod';
import { done, Id, label, refused } from '#app/ui/forms/fields.ts';
import { limitByCount, managerAction, reauthenticatedManagerAction } from '#app/ui/forms/guarded-action.ts';
import { env } from '#platform/config/settings.ts';
import { employeeLimits } from '#server/employees/import-check.ts';
import { createJoinLink, revokeJoinLink } from '#server/employees/join-links.ts';
import { approveJoinRequests, declineJoinRequests, maxBulkRequests } from '#server/employees/join-requests.ts';
import { joinLinkDays, joinLinkSizes } from '#server/employees/join-terms.ts';

const Role = label(employeeLimits.role);

/** Makes a join link. The result holds the link, which is stored nowhere. */
export const createJoinLinkAction = managerAction.within('joinLink')(
  z.object({ role: Role.nullable(), days: z.literal(joinLinkDays), maxRequests: z.literal(joinLinkSizes) }),
  async (manager, terms) => {
    const made = await createJoinLink(manager, terms);
    if (made === 'too-many') return refused({ form: 'tooManyLinks' });
    return done({ link: `${env().APP_URL}/join/${made.token}` });
  },
);

export const revokeJoinLinkAction = managerAction(z.object({ id: Id }), async (manager, { id }) => {
  const revoked = await revokeJoinLink(manager, id);
  return revoked === 'revoked' ? done(null) : refused({ form: 'gone' });
});

const Approvals = z
  .array(z.object({ id: Id, name: label(employeeLimits.name), role: Role }))
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

/** Declines requests to join. Returns how many. */
export const declineJoinRequestsAction = managerAction.within(limitByCount)(
  z.object({ ids: z.array(Id).min(1).max(maxBulkRequests) }),
  async (manager, { ids }) => done({ count: await declineJoinRequests(manager, ids) }),
);
