'use server';

import { cookies } from 'next/headers';
import { z } from 'zod';
import { done, refused } from '#app/ui/forms/fields.ts';
import { employeeSessionAction, publicAction } from '#app/ui/forms/guarded-action.ts';
import { offerToBell, takeOffer } from '#server/accounts/sessions/bell-offer.ts';
import { encodeBellCookie } from '#server/accounts/sessions/cookie.ts';
import { currentReader } from '#server/accounts/sign-in/require.ts';
import { mayEmbed } from '#server/companies/link-base.ts';

const Secret = z.string().regex(/^[\w-]{43}$/);
const Origin = z.string().max(300);

/** Offers the session to the bell whose press opened this window, if the company lists its page. */
export const offerToBellAction = employeeSessionAction(
  z.object({ code: Secret, origin: Origin }),
  async (session, { code, origin }) => {
    if (!(await mayEmbed(session, origin))) return refused({ form: 'failed' });
    await offerToBell(session, code, origin);
    return done(null);
  },
);

/** Gives the frame of a bell the session that was offered to it. Fails without an offer, unless the frame has one. */
export const openBellAction = publicAction(z.object({ secret: Secret, origin: Origin }), async ({ secret, origin }) => {
  const claims = await takeOffer(secret, origin);
  if (claims) (await cookies()).set(await encodeBellCookie(claims, origin));
  else if (!(await currentReader())) return refused({ form: 'failed' });
  return done(null);
});
