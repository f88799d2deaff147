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

/** Offers the session to the bell that opened this window, if the company lists its page. Returns ticket or code. */
export const offerToBellAction = employeeSessionAction(
  z.object({ code: Secret, origin: Origin, isTyped: z.boolean() }),
  async (session, { code, origin, isTyped }) => {
    if (!(await mayEmbed(session, origin))) return refused({ form: 'failed' });
    return done(await offerToBell(session, code, origin, isTyped));
  },
);

/** Gives the frame of a bell the session that was offered to it. Fails without an offer, unless the frame has one. */
export const openBellAction = publicAction(
  z.object({ secret: Secret, ticket: z.string().max(100), origin: Origin }),
  async (request) => {
    const claims = await openBell(request, await readClient());
    if (claims) (await cookies()).set(await encodeBellCookie(claims));
    else if (!(await currentReader())) return refused({ form: 'failed' });
    return done(null);
  },
);
