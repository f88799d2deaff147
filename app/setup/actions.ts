'use server';

import { notFound } from 'next/navigation';
import { z } from 'zod';
import { done, label, NewPassword, problemsOf, type Result, refused, TimeZone, Username } from '#app/fields.ts';
import { currentLanguage } from '#app/i18n.ts';
import { checkSecret } from '#server/accounts.ts';
import { createCompany, hasOwner } from '#server/companies.ts';
import { env } from '#server/env.ts';
import { currentAddress, startSession } from '#server/require.ts';
import { isSetupCode } from '#server/setup-code.ts';

const SetupInput = z.object({
  code: z.string().max(100).default(''),
  companyName: label(120),
  timeZone: TimeZone,
  ownerName: label(120),
  username: Username,
  password: NewPassword,
});

/** Makes a company and its owner, who is signed in then. The first one needs the code of the server's log. */
export async function setupAction(input: Record<string, string>): Promise<Result<null>> {
  const open = env().SIGN_UP === 'open';
  if (!open && (await hasOwner())) notFound();
  const parsed = SetupInput.safeParse(input);
  if (!parsed.success) return problemsOf(parsed.error);
  const { code, ...wanted } = parsed.data;
  if (!open) {
    const checked = await checkSecret('set-up code', isSetupCode(code), await currentAddress());
    if (checked === 'wrong') return refused({ code: 'codeWrong' });
    if (checked !== 'right') return refused({ form: `wait:${checked.waitSeconds}` });
  }
  const owner = await createCompany({ ...wanted, language: await currentLanguage() }, { onlyFirst: !open });
  if (owner === 'duplicate-username') return refused({ username: 'duplicateUsername' });
  if (owner === 'already-set-up') return refused({ form: 'done' });
  await startSession({ companyId: owner.companyId, accountId: owner.accountId, sessionVersion: 1 });
  return done(null);
}
