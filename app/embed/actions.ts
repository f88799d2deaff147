'use server';

import { cookies } from 'next/headers';
import { z } from 'zod';
import { done, refused } from '#app/ui/forms/fields.ts';
import { employeeSessionAction, publicAction } from '#app/ui/forms/guarded-action.ts';
import { bellCookieFor, encodeBellTicket } from '#server/accounts/sessions/cookie.ts';

/** A ticket for the frame that opened the window of the sign-in. */
export const makeBellTicketAction = employeeSessionAction(
  z.object({}),
  async ({ account, sessionId, sessionVersion }) => {
    const { companyId, accountId } = account;
    return done({ ticket: await encodeBellTicket({ companyId, accountId, sessionVersion, sessionId }) });
  },
);

/** Gives the frame of a bell the session of a ticket. */
export const openBellAction = publicAction(z.object({ ticket: z.string().max(2000) }), async ({ ticket }) => {
  const cookie = await bellCookieFor(ticket);
  if (!cookie) return refused({ form: 'failed' });
  (await cookies()).set(cookie);
  return done(null);
});
