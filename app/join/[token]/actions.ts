'use server';

import { cookies } from 'next/headers';
import { z } from 'zod';
import { joinCookie } from '#app/join/join-cookie.ts';
import { done, label, refused, slowedDown } from '#app/ui/forms/fields.ts';
import { publicAction } from '#app/ui/forms/guarded-action.ts';
import { addressGroup } from '#platform/config/ip-address.ts';
import { countUse } from '#server/accounts/sign-in/limits.ts';
import { currentAddress } from '#server/accounts/sign-in/require.ts';
import { employeeLimits } from '#server/employees/imports.ts';
import { findJoinLink, requestToJoin } from '#server/employees/join-requests.ts';

const JoinInput = z.object({
  token: z.string().max(100),
  name: label(employeeLimits.name),
  role: label(employeeLimits.role).optional(),
});

/** Asks to join a company with a join link. Returns the token of the person's waiting page. */
export const requestToJoinAction = publicAction(JoinInput, async ({ token, name, role = null }) => {
  const link = await findJoinLink(token);
  if (!link) return refused({ form: 'invalidLink' });
  if (link.asksRole && role === null) return refused({ role: 'required' });
  // Only for a link that exists: strangers must not add a row for each token that they make up.
  const address = addressGroup(await currentAddress());
  const waitSeconds = await countUse('joinRequest', { address });
  if (waitSeconds > 0) return slowedDown({ waitSeconds });
  const request = await requestToJoin(token, { name, role }, address);
  if (request === 'no-such-link') return refused({ form: 'invalidLink' });
  if (request === 'too-many-wait') return refused({ form: 'tooManyWait' });
  (await cookies()).set(joinCookie(request.token));
  return done(request);
});
