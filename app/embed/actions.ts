'use server';

import { cookies } from 'next/headers';
import { z } from 'zod';
import { done, type Result, refused } from '#app/ui/forms/fields.ts';
import { employeeSessionAction } from '#app/ui/forms/guarded-action.ts';
import { bellCookieFor, encodeBellTicket } from '#server/accounts/sessions/cookie.ts';
import { isOwnRequest } from '#server/accounts/sign-in/require.ts';

/** A ticket for the frame that opened the window of the sign-in. */
export const makeBellTicketAction = employeeSessionAction(
  z.object({}),
  async ({ account, sessionId, sessionVersion }) => {
    const { companyId, accountId } = account;
    return done({ ticket: await encodeBellTicket({ companyId, accountId, sessionVersion, sessionId }) });
  },
);

const Input = z.object({ ticket: z.string().max(2000) });

/** Gives the frame of a bell the session of a ticket. */
export async function openBellAction(input: { ticket: string }): Promise<Result<null>> {
  const parsed = Input.safeParse(input);
  const cookie = parsed.success && (await isOwnRequest()) ? await bellCookieFor(parsed.data.ticket) : null;
  if (!cookie) return refused({ form: 'failed' });
  (await cookies()).set(cookie);
  return done(null);
}
