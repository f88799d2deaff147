'use server';

import { cookies } from 'next/headers';
import { z } from 'zod';
import { done, refused } from '#app/ui/forms/fields.ts';
import { employeeSessionAction, publicAction } from '#app/ui/forms/guarded-action.ts';
import { decodeBellTicket, encodeBellCookie, encodeBellTicket } from '#server/accounts/sessions/cookie.ts';
import { authenticateClaims } from '#server/accounts/sign-in/authenticate.ts';

/** A ticket for the frame that opened the window of the sign-in. */
export const makeBellTicketAction = employeeSessionAction(
  z.object({}),
  async ({ account, sessionId, sessionVersion }) => {
    const { companyId, accountId } = account;
    return done({ ticket: await encodeBellTicket({ companyId, accountId, sessionVersion, sessionId }) });
  },
);

const Input = z.object({ ticket: z.string().max(2000), origin: z.string().max(300) });

/** Gives the frame of a bell the session of a ticket, if its company lists the page of this origin. */
export const openBellAction = publicAction(Input, async ({ ticket, origin }) => {
  const claims = await decodeBellTicket(ticket);
  if (!claims) return refused({ form: 'failed' });
  const [session] = await authenticateClaims([{ ...claims, origin }]);
  if (!session) return refused({ form: 'notListed' });
  (await cookies()).set(await encodeBellCookie(claims, origin));
  return done(null);
});
