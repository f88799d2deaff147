'use server';

import { z } from 'zod';
import { done, NewPassword, problemsOf, type Result, refused, slowedDown, Username } from '#app/ui/forms/fields.ts';
import { isOwnRequest, startSession } from '#server/accounts/require.ts';
import { countNameChoice } from '#server/accounts/sign-up-limits.ts';
import { acceptInvitation } from '#server/employees/invitations.ts';

const AcceptInput = z.object({ token: z.string().max(100), username: Username, password: NewPassword });

/** Accepts an invitation and signs the employee in. */
export async function acceptInvitationAction(input: Record<string, string>): Promise<Result<null>> {
  if (!(await isOwnRequest())) return refused({ form: 'failed' });
  const parsed = AcceptInput.safeParse(input);
  if (!parsed.success) return problemsOf(parsed.error);
  const { token, username, password } = parsed.data;
  const waitSeconds = await countNameChoice(token);
  if (waitSeconds > 0) return slowedDown({ waitSeconds });
  const accepted = await acceptInvitation(token, username, password);
  if (accepted === 'invalid') return refused({ form: 'invalidInvitation' });
  if (accepted === 'duplicate-username') return refused({ username: 'duplicateUsername' });
  await startSession(accepted);
  return done(null);
}
