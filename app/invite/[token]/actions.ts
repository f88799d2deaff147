'use server';

import { z } from 'zod';
import { done, NewPassword, refused, slowedDown, Username } from '#app/ui/forms/fields.ts';
import { publicAction } from '#app/ui/forms/guarded-action.ts';
import { countUse } from '#server/accounts/sign-in/limits.ts';
import { currentSession, startSession } from '#server/accounts/sign-in/require.ts';
import { acceptLink, findLink } from '#server/employees/personal-links.ts';
import { changePreferences } from '#server/inbox/preferences.ts';

const AcceptInput = z.object({
  token: z.string().max(100),
  username: Username,
  password: NewPassword,
  hidePrivate: z.enum(['yes', 'no']).optional(),
});

/** Accepts a link, signs the person in, and stores whether they hide texts about money. Returns their area. */
export const acceptInvitationAction = publicAction(AcceptInput, async (input) => {
  const { token, username, password, hidePrivate } = input;
  const link = await findLink(token);
  if (!link) return refused({ form: 'invalidInvitation' });
  // Only for a token that exists: strangers must not add a row for each that they make up.
  const waitSeconds = link.username === null ? await countUse('nameChoice', { invitation: token }) : 0;
  if (waitSeconds > 0) return slowedDown({ waitSeconds });
  const accepted = await acceptLink(token, username, password);
  if (accepted === 'invalid' || accepted === 'identity-taken') return refused({ form: 'invalidInvitation' });
  if (accepted === 'provider-only') return refused({ form: 'providerOnly' });
  if (accepted === 'duplicate-username') return refused({ username: 'duplicateUsername' });
  if (accepted === 'common-password' || accepted === 'own-name') return refused({ password: accepted });
  await startSession(accepted);
  const employee = hidePrivate && (await currentSession())?.employee;
  if (employee) await changePreferences(employee, { hidePrivate: hidePrivate === 'yes' });
  return done({ area: link.rights === 'employee' ? '/portal' : '/owner' });
});
