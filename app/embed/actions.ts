'use server';

import { cookies } from 'next/headers';
import { z } from 'zod';
import { done, refused } from '#app/ui/forms/fields.ts';
import { employeeSessionAction, publicAction } from '#app/ui/forms/guarded-action.ts';
import { offerToBell, openBell } from '#server/accounts/sessions/bell-offer.ts';
import { encodeBellCookie } from '#server/accounts/sessions/cookie.ts';
import { currentReader, readClient } from '#server/accounts/sign-in/require.ts';
import { mayEmbed } from '#server/companies/link-base.ts';

const Secret = z.string().regex(/^[\w-]{43}$/);
const Origin = z.string().max(300);

/** Offers the session to the bell whose press opened this window, if the company lists its page. Returns the ticket. */
export const offerToBellAction = employeeSessionAction(
  z.object({ code: Secret, origin: Origin }),
  async (session, { code, origin }) => {
    if (!(await mayEmbed(session, origin))) return refused({ form: 'failed' });
    return done(await offerToBell(session, code, origin));
  },
);

/** Gives the frame of a bell the session that was offered to it. Fails without an offer, unless the frame has one. */
export const openBellAction = publicAction(
  z.object({ secret: Secret, ticket: Secret.or(z.literal('')), origin: Origin }),
  async (request) => {
    const claims = await openBell(request, await readClient());
    if (claims) (await cookies()).set(await encodeBellCookie(claims));
    else if (!(await currentReader())) return refused({ form: 'failed' });
    return done(null);
  },
);
